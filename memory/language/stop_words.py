"""The commonest words of each language, the ones a query is not about. Data only.

Keyed by ISO 639-1 code, as written, separated by blanks.
"""

COMMON_WORDS = {
    "en": """
        a about all also am an and any are as at be been but by can could did do does
        for from had has have he her his how i if in into is it its just may me more my
        no not of on or our out shall she should so some such than that the their them
        then there these they this those to too up us was we were what when where which
        while who whom whose why will with would you your
    """,
    "de": """
        aber als am an auch auf aus bei bin bis da das dass dem den der des die dies
        diese dieser durch ein eine einem einen einer eines er es für hat haben ich ihr
        im in ist ja kann mit nach nicht noch nur oder sein sich sie sind so über um und
        uns unter vom von vor war waren warum was welche welchem welchen welcher welches
        wann wer werden wie wird wir wo wurde wurden zu zum zur
    """,
    "es": """
        a al como con cual cuál cuáles cuando cuándo cuánto cuántos de del desde donde
        dónde e el él ella en entre era es esta está este esto fue ha han hay la las le
        lo los más me mi no nos o para pero por que qué quien quién se según ser si sin
        sobre son su sus también un una uno y ya
    """,
    "fr": """
        à au aux avec ce ces cet cette comme comment d dans de des du elle elles en est
        et eu été il ils je la le les leur lui mais ne nous on ont ou où par pas pour qu
        quand que quel quelle quelles quels qui s sa se ses si son sont sur un une vous
        y était
    """,
    "it": """
        a al alla alle anche che chi ci come con cosa cui da dal dalla dei del della
        delle di dove e è ed era gli ha hanno i il in la le lo ma nel nella non o per
        perché più quale quali quando quanti quanto questo se si sono su sua suo un una
        uno
    """,
    "pt": """
        a ao aos as com como da das de do dos e é ela ele em era entre essa esse esta
        este eu foi há isso já mais mas na não nas no nos o onde os ou para pela pelo
        por qual quais quando quanto quantos que quem se sem seu sua são também um uma
        você
    """,
    "nl": """
        aan als bij dan dat de der die dit door een en er het hij hoe hoeveel ik in is
        je kan maar met naar niet nog of om ook op over te tot uit van voor waar waarom
        wanneer was wat we welke werd wie wordt worden ze zich zijn
    """,
    "sv": """
        alla att av de den det din du där efter en ett från för ha har hur hon han i
        inte jag kan med men mot när och om på sin som så till under upp ut var vad vem
        vilka vilken vilket vi är
    """,
    "nb": """
        alle at av da de den der det du eller en er et for fra ha han har hun hva hvem
        hvilke hvilken hvilket hvor hvordan hvorfor i ikke jeg kan med men når og om på
        seg som så til ut var vi være ved ble
    """,
    "da": """
        af alle at da de den der det du efter eller en er et for fra ham han har hun
        hvad hvem hvilke hvilken hvilket hvor hvordan hvorfor i ikke jeg kan med men mod
        når og om op på sig som så til ud var vi ved være blev
    """,
    "fi": """
        ei että he hän ja joka jos kuin kun kuka kuinka me mikä miksi missä mitä mutta
        myös niin ne ole oli on ovat se sekä tai tämä
    """,
    "pl": """
        a aby ale bo by był była było być co czy dla do gdzie go i ich ile jak jaka jaki
        jakie jako jest jego jej jeszcze już każdy kiedy kto która które którego który
        którym którzy lub ma na nad nie o od oraz po pod przez przy są się ten to tej
        tym w we z za ze
    """,
    "cs": """
        a aby ale byl byla bylo být co do i jak jaké jaký je jeho její jsou k kde kdo
        kdy když která které který na nebo není o od po pro proč při s se si v ve z za
        ze že
    """,
    "ro": """
        a al ale am ar au ca care când câte câți ce cei cel cine cu cum da dar de din
        este există fi fost în în într la mai nu o pe pentru prin sau se și sunt să său
        un unde unei unui
    """,
    "hu": """
        a az azt de egy el és ez ezt hogy hol ha is ki kik mely melyik meg mert mi miért
        mikor milyen mint mit nem van volt vagy hány
    """,
    "tr": """
        ve bir bu da de için ile ne nedir nasıl neden nerede ki kim kaç hangi hangisi mi
        mı mu mü olan olarak ise daha en çok gibi kadar sonra veya ya zaman her o şu var
    """,
    "id": """
        ada adalah akan apa apakah atau bagaimana bagi bahwa berapa dalam dan dapat dari
        dengan di dia ia ini itu jika juga kapan karena ke kita lebih mana mengapa oleh
        pada saat saya sebagai secara siapa sudah telah tersebut tidak untuk yang
    """,
    "vi": """
        và của là có cho các những được trong với một này đó thì mà ở để khi từ đã sẽ
        như về do bị nào gì ai đâu bao nhiêu thế sao tại vì hay hoặc
    """,
    "ru": """
        а без более бы был была были было быть в вам вас во все всех вы где да для до
        его ее ей ему если есть еще же за и из или им их к как какая какие каким каких
        какой какую ко когда который которая которые кто ли меня мне мы на над не него
        нее нет ни них но о об он она они оно от по под почему при с сколько со так
        также там то того только тот ты у уже чего чем что чтобы эта эти это этот я
    """,
    "uk": """
        а але без був була були було в вже ви від він вона вони воно для до з за і із й
        його її їх коли або на не по при про та так там те ти то у хто це ці що чи як
        яка яке який які
    """,
    "el": """
        αν από αυτή αυτό για δεν είναι ένα ένας εν επί ή ήταν η θα και κατά με μετά μια
        μία να ο οι όταν ότι όπως πόσα πόσες πόσο πού ποια ποιά ποιες ποιο ποιοι ποιον
        ποιος ποιός προς πριν πως πώς σε στα στη στην στις στο στον στους τα τη την της
        τι τις το τον του τους των ως που
    """,
    "ar": """
        أن إن إلى أو أي أين التي الذي الذين ما ماذا متى من منذ هل هم هو هي هذا هذه ذلك
        تلك عن على علي في قد كان كانت كل كم كما كيف لا لم لماذا ليس مع هنا و يكون بعد
        بين ثم حتى عند غير لكن
    """,
    "fa": """
        از است آن این با بر برای به بود تا چه چرا چند چگونه چیست خود در را شد شده که
        کدام کجا کسی ما می نیز و هم هر یا یک های ها کرد کند
    """,
    "he": """
        של את על עם זה זו הוא היא הם הן אני אתה לא כי אם או גם כל אל מה מי איך איפה מתי
        כמה למה אשר היה הייתה היו בין כמו רק יש אין עד איזה איזו
    """,
    "hi": """
        का के की को में से है हैं था थी थे और या पर ने यह वह ये वे इस उस जो कि एक भी तो
        ही हो कर कौन क्या कब कहाँ कहां कितने कितना कितनी कैसे क्यों किस किसी किसने किया
        गया गई लिए साथ तक अपने द्वारा नहीं कुछ होता होती होते
    """,
    "ko": """
        그 그리고 누가 무엇 무엇을 무엇이 무엇인가 무엇입니까 어느
        어디 어디서 어떤 어떻게 언제 얼마나 왜 이 저
        및 또는 수 것 있는 하는 할
    """,
    "zh": """
        的 了 吗 呢 是 在 和 与 有
    """,
    "ja": """
        の は を に が と で も か
    """,
    "th": """
        ที่ และ ใน ของ เป็น
    """,
}
