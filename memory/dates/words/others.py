"""Vietnamese, Indonesian, Turkish, Arabic, Hindi and Thai words for time."""

from __future__ import annotations

from typing import Final

from memory.dates.vocabulary import Vocabulary

VIETNAMESE: Final = Vocabulary(
    months="tháng_một tháng_giêng | tháng_hai | tháng_ba | tháng_tư | tháng_năm | tháng_sáu"
    " | tháng_bảy | tháng_tám | tháng_chín | tháng_mười | tháng_mười_một | tháng_mười_hai"
    " tháng_chạp",
    weekdays="thứ_hai thứ_2 | thứ_ba thứ_3 | thứ_tư thứ_4 | thứ_năm thứ_5 | thứ_sáu thứ_6"
    " | thứ_bảy thứ_7 | chủ_nhật",
    ambiguous="thứ_2 thứ_3 thứ_4 thứ_5 thứ_6 thứ_7",
    seasons="mùa_xuân | mùa_hè mùa_hạ | mùa_thu | mùa_đông",
    hours="giờ tiếng phút",
    days="ngày hôm",
    weeks="tuần",
    weekends="cuối_tuần",
    months_long="tháng",
    quarters="quý",
    years="năm",
    decades="thập_kỷ thập_niên",
    relative="hôm_nay=day+0 tối_nay=day+0 sáng_nay=day+0 chiều_nay=day+0 đêm_nay=day+0"
    " hôm_qua=day-1 tối_qua=day-1 đêm_qua=day-1 ngày_hôm_qua=day-1 ngày_hôm_nay=day+0"
    " hôm_kia=day-2 hôm_trước=day-2 ngày_mai=day+1 ngày_kia=day+2 năm_ngoái=year-1"
    " năm_nay=year+0 năm_kia=year-2",
    last_after="trước",
    last="vừa_qua vừa_rồi qua rồi",
    this="này hiện_tại",
    next="tới sau kế_tiếp",
    ago_before="cách_đây",
    ahead="nữa tới_đây",
    in_="vào trong lúc hồi",
    from_="từ",
    to="đến tới_ngày",
    between="giữa",
    and_="và",
    since="kể_từ từ_khi",
    before="trước_khi",
    after="sau_khi",
    parts="đầu | giữa_tháng | cuối",
    numbers="một | hai | ba | bốn | | sáu | bảy | tám | chín | mười",
    ordinals="đầu_tiên thứ_nhất",
    couple="vài_ba đôi_ba",
    few="vài mấy",
    glue="của các",
    past="trước_đây trước_kia ngày_xưa hồi_trước trước_đó ban_đầu không_còn",
    modifier_follows=True,
    is_weekday_plain=True,
    keeps_accents=True,
)  # fmt: skip

INDONESIAN: Final = Vocabulary(
    months="januari jan | februari feb | maret | april apr | mei | juni jun | juli jul | agustus"
    " agu | september sep | oktober okt | november nov | desember des",
    weekdays="senin | selasa | rabu | kamis | jumat jum'at | sabtu | ahad",
    ambiguous="jan",
    hours="jam menit",
    days="hari",
    weeks="minggu pekan",
    weekends="akhir_pekan akhir_minggu",
    months_long="bulan",
    quarters="kuartal triwulan",
    years="tahun",
    decades="dekade",
    relative="hari_ini=day+0 malam_ini=day+0 pagi_ini=day+0 kemarin=day-1 tadi_malam=day-1"
    " kemarin_lusa=day-2 besok=day+1 lusa=day+2 setahun_yang_lalu=year-1"
    " sebulan_yang_lalu=month-1 seminggu_yang_lalu=week-1",
    last_after="lalu yang_lalu",
    this="ini",
    next="depan mendatang",
    in_="pada di dalam selama",
    from_="dari",
    to="sampai hingga",
    between="antara",
    and_="dan",
    since="sejak",
    before="sebelum",
    after="setelah sesudah",
    parts="awal | pertengahan tengah | akhir",
    numbers="satu | dua | tiga | empat | lima | enam | tujuh | delapan | sembilan | sepuluh",
    ordinals="pertama | kedua | ketiga",
    few="beberapa",
    past="dulu dahulu sebelumnya semula tidak_lagi mantan",
    modifier_follows=True,
    is_weekday_plain=True,
)  # fmt: skip

TURKISH: Final = Vocabulary(
    months="ocak ocakta ocak'ta | subat subatta | mart martta | nisan nisanda | mayis mayista"
    " | haziran haziranda | temmuz temmuzda | agustos agustosta | eylul eylulde | ekim ekimde"
    " | kasim kasimda | aralik aralikta",
    weekdays="pazartesi | sali | carsamba | persembe | cuma | cumartesi | pazar",
    ambiguous="ocak ekim aralik pazar mart",
    seasons="ilkbahar bahar | yaz yazin | sonbahar guz | kis kisin",
    hours="saat dakika",
    days="gun gunu",
    weeks="hafta haftada",
    weekends="hafta_sonu",
    months_long="ay ayda",
    quarters="ceyrek ceyrekte",
    years="yil yilinda yili sene",
    relative="bugun=day+0 bu_gece=day+0 bu_sabah=day+0 dun=day-1 dun_gece=day-1"
    " evvelsi_gun=day-2 onceki_gun=day-2 yarin=day+1",
    last="gecen gectigimiz onceki",
    rolling="son",
    this="bu",
    next="gelecek onumuzdeki sonraki",
    ago="once",
    ahead="sonra",
    in_="icinde",
    and_="ve ile",
    since_behind="beri",
    parts="basinda basi | ortasinda ortasi | sonunda sonu",
    numbers="bir | iki | uc | dort | bes | alti | yedi | sekiz | dokuz | on",
    ordinals="ilk birinci | ikinci | ucuncu | dorduncu",
    few="birkac",
    glue="da de ta te nda nde",
    past="eskiden onceden daha_once baslangicta artik_degil",
    is_weekday_plain=True,
    is_year_word_behind=True,
    is_part_behind=True,
)  # fmt: skip

ARABIC: Final = Vocabulary(
    months="يناير | فبراير | مارس | ابريل | مايو | يونيو | يوليو | اغسطس | سبتمبر | اكتوبر"
    " | نوفمبر | ديسمبر",
    weekdays="الاثنين الإثنين | الثلاثاء | الاربعاء | الخميس | الجمعه | السبت | الاحد",
    seasons="الربيع ربيع | الصيف صيف | الخريف خريف | الشتاء شتاء",
    hours="ساعه ساعات",
    days="يوم ايام",
    weeks="اسبوع الاسبوع اسابيع",
    weekends="عطله_نهايه_الاسبوع نهايه_الاسبوع",
    months_long="شهر الشهر اشهر شهور",
    years="سنه السنه عام العام سنوات اعوام",
    relative="اليوم=day+0 امس=day-1 البارحه=day-1 اول_امس=day-2 غدا=day+1 بعد_غد=day+2"
    " هذا_اليوم=day+0",
    last="الماضي الماضيه السابق السابقه المنصرم",
    this="هذا هذه الحالي الحاليه",
    next="القادم القادمه المقبل المقبله",
    ago_before="قبل",
    since="منذ_بدايه",
    in_="في خلال بتاريخ",
    from_="من",
    to="الي حتي",
    between="بين",
    and_="و",
    after="بعد",
    parts="اوائل بدايه | منتصف | اواخر نهايه",
    numbers="واحد | اثنين | ثلاثه ثلاث | اربعه اربع | خمسه خمس | سته ست | سبعه سبع | ثمانيه"
    " | تسعه | عشره",
    few="بضعه عده",
    past="سابقا في_السابق قديما كان_يستخدم في_الماضي سابق",
    modifier_follows=True,
    is_weekday_plain=True,
)  # fmt: skip

HINDI: Final = Vocabulary(
    months="जनवरी | फरवरी फ़रवरी | मार्च | अप्रैल | मई | जून | जुलाई | अगस्त | सितंबर सितम्बर"
    " | अक्टूबर अक्तूबर | नवंबर नवम्बर | दिसंबर दिसम्बर",
    weekdays="सोमवार | मंगलवार | बुधवार | गुरुवार बृहस्पतिवार | शुक्रवार | शनिवार | रविवार इतवार",
    seasons="वसंत | गर्मी गर्मियों | शरद | सर्दी सर्दियों",
    hours="घंटे घंटा मिनट",
    days="दिन दिनों",
    weeks="सप्ताह हफ्ते हफ़्ते हफ्ता",
    weekends="सप्ताहांत",
    months_long="महीने महीना माह महीनों",
    years="साल वर्ष सालों",
    relative="आज=day+0 बीता_कल=day-1 बीते_कल=day-1 कल=day-1 परसों=day-2 आने_वाला_कल=day+1",
    last="पिछले पिछला पिछली गत बीते",
    this="इस यह",
    next="अगले अगला अगली",
    ago="पहले",
    in_="में को के_दौरान",
    to="",
    and_="और",
    parts="शुरुआत आरंभ | मध्य | अंत",
    numbers="एक | दो | तीन | चार | पांच पाँच | छह | सात | आठ | नौ | दस",
    few="कुछ",
    glue="के की का",
    past="पूर्व_में अतीत_में मूल_रूप_से भूतपूर्व",
    is_weekday_plain=True,
)  # fmt: skip

THAI: Final = Vocabulary(
    months="มกราคม ม.ค. | กุมภาพันธ์ ก.พ. | มีนาคม มี.ค. | เมษายน เม.ย. | พฤษภาคม พ.ค."
    " | มิถุนายน มิ.ย. | กรกฎาคม ก.ค. | สิงหาคม ส.ค. | กันยายน ก.ย. | ตุลาคม ต.ค. | พฤศจิกายน"
    " พ.ย. | ธันวาคม ธ.ค.",
    weekdays="วันจันทร์ | วันอังคาร | วันพุธ | วันพฤหัสบดี วันพฤหัส | วันศุกร์ | วันเสาร์"
    " | วันอาทิตย์",
    seasons="ฤดูใบไม้ผลิ | ฤดูร้อน หน้าร้อน | ฤดูใบไม้ร่วง | ฤดูหนาว หน้าหนาว",
    hours="ชั่วโมง นาที",
    days="วัน",
    weeks="สัปดาห์ อาทิตย์",
    weekends="สุดสัปดาห์",
    months_long="เดือน",
    quarters="ไตรมาส",
    years="ปี",
    relative="วันนี้=day+0 คืนนี้=day+0 เมื่อวาน=day-1 เมื่อวานนี้=day-1 เมื่อคืน=day-1"
    " เมื่อวานซืน=day-2 พรุ่งนี้=day+1 มะรืนนี้=day+2 ปีที่แล้ว=year-1 ปีก่อน=year-1",
    last_after="ที่แล้ว ก่อน ที่ผ่านมา",
    this="นี้",
    next="หน้า",
    in_="ใน เมื่อ",
    from_="จาก ตั้งแต่",
    to="ถึง จนถึง",
    between="ระหว่าง",
    and_="และ กับ",
    since="นับตั้งแต่",
    after="หลังจาก",
    parts="ต้น | กลาง | ปลาย สิ้น",
    numbers="หนึ่ง | สอง | สาม | สี่ | ห้า | หก | เจ็ด | แปด | เก้า | สิบ",
    few="ไม่กี่ สองสาม",
    glue="ที่ ของ",
    has_buddhist_years=True,
    past="แต่ก่อน เมื่อก่อน ก่อนหน้านี้ เดิมที",
    modifier_follows=True,
    is_weekday_plain=True,
)  # fmt: skip
