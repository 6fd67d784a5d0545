"""Units, currencies, months and multipliers as people write them, in many languages. Pure data.

Each name on the left is the canonical one; the words on the right mean it. Words are matched after
casefolding, symbols as they stand (``MB`` is not ``Mb``), and words of scripts without spaces as
prefixes of what follows a number.
"""

from __future__ import annotations

from fractions import Fraction

TIME = {
    "second": "second seconds sec secs sekunde sekunden seconde secondes segundo segundos secondo"
    " secondi seconden giây секунда секунды секунд saniye detik ثانية ثواني सेकंड วินาที 秒 秒钟 초",
    "minute": "minute minutes min mins minuten minuto minutos minuti phút минута минуты минут"
    " dakika menit دقيقة دقائق मिनट นาที 分钟 分鐘 分間 分 분",
    "hour": "hour hours hr hrs h std stunde stunden heure heures hora horas ora ore uur uren giờ"
    " tiếng час часа часов saat jam ساعة ساعات घंटा घंटे ชั่วโมง 小时 小時 個小時 个小时 時間 시간 godzina"
    " godziny godzin timer timmar ώρα ώρες",
    "day": "day days d tag tage tagen jour jours día días dia dias giorno giorni dag dagen ngày"
    " день дня дней gün hari يوم أيام يوما दिन วัน 天 日間 日 일 dzień dni dagar dage zile zi ημέρα"
    " ημέρες μέρες",
    "week": "week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane"
    " weken tuần неделя недели недель неделю hafta minggu أسبوع أسابيع सप्ताह हफ्ते สัปดาห์"
    " 周 週 週間 星期 个星期 個星期 주 tydzień tygodni vecka veckor uge uger săptămână săptămâni"
    " εβδομάδα εβδομάδες",
    "month": "month months monat monate monaten mois mes meses mês mese mesi maand maanden tháng"
    " месяц месяца месяцев ay bulan شهر أشهر शهور महीना महीने เดือน 个月 個月 か月 ヶ月 カ月 개월"
    " miesiąc miesięcy månad månader lună luni μήνας μήνες",
    "quarter": "quarter quarters quartal quartale trimestre trimestres trimestri quý квартал 季度",
    "year": "year years yr yrs jahr jahre jahren an ans année années año años ano anos anno anni"
    " jaar jaren năm год года лет yıl tahun سنة سنوات عام वर्ष साल ปี 年 年間 년 rok lat år ani"
    " έτος έτη χρόνια",
}
MEASURES = {
    "percent": "% ％ ٪ pct percent prozent procent porcento percento procento процент процента"
    " процентов yüzde persen بالمئة प्रतिशत เปอร์เซ็นต์ 퍼센트",
    "permille": "‰",
    "kilometre": "km kilometre kilometres kilometer kilometers kilomètre kilomètres kilómetro"
    " kilómetros quilômetro quilômetros chilometro chilometri километр километров 公里",
    "metre": "m metre metres meter meters mètre mètres metro metros metri mét метр метра метров 米",
    "centimetre": "cm centimetre centimetres centimeter centimeters 厘米",
    "millimetre": "mm millimetre millimetres millimeter millimeters 毫米",
    "mile": "mi mile miles meile meilen",
    "foot": "ft foot feet",
    "inch": "inch inches zoll",
    "gram": "g gram grams gramm gramme grammes gramo gramos grammi",
    "kilogram": "kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo"
    " kilogramos 公斤",
    "milligram": "mg milligram milligrams",
    "microgram": "µg μg mcg",
    "tonne": "t ton tons tonne tonnes tonnen tonelada toneladas",
    "pound_mass": "lb lbs",
    "litre": "l L litre litres liter liters litro litros litri lít литр литров",
    "millilitre": "ml mL",
    "celsius": "°C ℃",
    "fahrenheit": "°F ℉",
    "degree": "° degree degrees grad degré degrés grado grados grau graus độ градус градусов",
    "bit": "bit bits",
    "byte": "B byte bytes",
    "kilobyte": "kB KB kilobyte kilobytes",
    "kibibyte": "KiB",
    "megabyte": "MB megabyte megabytes",
    "mebibyte": "MiB",
    "gigabyte": "GB gigabyte gigabytes",
    "gibibyte": "GiB",
    "terabyte": "TB terabyte terabytes",
    "megabit_per_second": "Mbps Mbit/s",
    "gigabit_per_second": "Gbps Gbit/s",
    "kilometre_per_hour": "km/h kmh kph",
    "mile_per_hour": "mph",
    "hertz": "Hz",
    "megahertz": "MHz",
    "gigahertz": "GHz",
    "watt": "W watt watts",
    "kilowatt": "kW",
    "megawatt": "MW",
    "kilowatt_hour": "kWh",
    "volt": "V volt volts",
    "ampere": "A amp amps ampere amperes",
    "bar": "bar bars",
    "pascal": "Pa",
    "kilopascal": "kPa",
    "psi": "psi",
    "millisecond": "ms millisecond milliseconds",
    "square_metre": "m² m2 sqm",
    "square_kilometre": "km² km2",
    "hectare": "ha hectare hectares hektar",
    "cubic_metre": "m³ m3",
}
MONEY = {
    "usd": "$ US$ usd dollar dollars dólar dólares dollari доллар доллара долларов đô",
    "eur": "€ eur euro euros евро يورو 欧元 歐元 ユーロ 유로",
    "gbp": "£ gbp pound pounds sterling",
    "jpy": "¥ ￥ jpy yen 円 日元",
    "cny": "cny rmb yuan 元 人民币",
    "vnd": "₫ vnd đồng dong",
    "inr": "₹ inr rupee rupees रुपये",
    "krw": "₩ krw won 원",
    "rub": "₽ rub рубль рубля рублей",
    "chf": "chf franken",
    "aud": "A$ aud",
    "cad": "C$ cad",
    "sgd": "S$ sgd",
    "sek": "sek",
    "pln": "zł pln złotych",
    "thb": "฿ thb baht บาท",
    "try": "₺ lira",
    "btc": "₿ btc bitcoin bitcoins",
    "cent": "¢ cents",
}
PERIODS = {
    "hour": "hourly stündlich",
    "day": "daily täglich quotidien quotidienne diario diaria diário diária giornaliero dagelijks",
    "week": "weekly wöchentlich hebdomadaire semanal settimanale wekelijks",
    "month": "monthly monatlich mensuel mensuelle mensual mensal mensile maandelijks",
    "quarter": "quarterly vierteljährlich trimestriel trimestral trimestrale",
    "year": "annual annually yearly jährlich annuel annuelle anual annuale jaarlijks p.a.",
}
PER = frozenset(
    (
        "per each every pro je par por al a à cada ogni elke mỗi moi в за her tiap كل"
        " في प्रति ต่อ 每 / chaque jede jeden jedes jeder"
    ).split()
)
MULTIPLIERS = {
    Fraction(10**2): "hundred hundert cent cento trăm 百",
    Fraction(10**3): "k thousand tausend tsd mille mil duizend nghìn ngàn тысяча тысячи тысяч тыс"
    " bin ribu ألف آلاف हज़ार พัน 千 천",
    Fraction(10**4): "万 萬 만",
    Fraction(10**5): "lakh lakhs लाख",
    Fraction(10**6): "million millions mio mn millionen millón millones milhão milhões milione"
    " milioni miljoen triệu миллион миллиона миллионов млн milyon juta مليون 百万 ล้าน",
    Fraction(10**7): "crore crores करोड़",
    Fraction(10**8): "亿 億 억",
    Fraction(10**9): "billion billions bn mrd milliarde milliarden milliard milliards miliardo"
    " miliardi miljard tỷ tỉ миллиард миллиарда миллиардов млрд milyar مليار 十亿",
}
MONTHS = {
    1: "january jan januar janvier enero janeiro gennaio januari января январь ocak يناير",
    2: "february feb februar février febrero fevereiro febbraio februari февраля февраль şubat فبراير",
    3: "march mar märz mars marzo março maart марта март mart مارس",
    4: "april apr avril abril aprile апреля апрель nisan أبريل",
    5: "may mai mayo maio maggio mei мая май mayıs مايو",
    6: "june jun juni juin junio junho giugno июня июнь haziran يونيو",
    7: "july jul juli juillet julio julho luglio июля июль temmuz يوليو",
    8: "august aug août agosto augustus августа август ağustos أغسطس",
    9: "september sep sept septembre septiembre setembro settembre сентября сентябрь eylül سبتمبر",
    10: "october oct oktober octobre octubre outubro ottobre октября октябрь ekim أكتوبر",
    11: "november nov novembre noviembre novembro ноября ноябрь kasım نوفمبر",
    12: "december dec dezember décembre diciembre dezembro dicembre декабря декабрь aralık ديسمبر",
}


def _index(*tables: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Exact spellings, and casefolded words of three letters and more."""
    exact: dict[str, str] = {}
    words: dict[str, str] = {}
    for table in tables:
        for name, spellings in table.items():
            for spelling in spellings.split():
                exact.setdefault(spelling, name)
                if len(spelling) > 2 or not spelling.isascii():
                    words.setdefault(spelling.casefold(), name)
    return exact, words


UNIT_EXACT, UNIT_WORDS = _index(TIME, MEASURES, MONEY)
PERIOD_WORDS = _index(PERIODS, TIME)[1]
TIME_NAMES = frozenset(TIME)
MONEY_NAMES = frozenset(MONEY)
MULTIPLIER_WORDS = {word: factor for factor, words in MULTIPLIERS.items() for word in words.split()}
MONTH_WORDS = {word: month for month, words in MONTHS.items() for word in words.split()}
# Longest first, so that 小时 is not read as 小.
UNSPACED_UNITS = sorted(
    (word for word in UNIT_EXACT if "\u0e00" <= word[0] <= "\u0eff" or word[0] >= "\u2e80"),
    key=len,
    reverse=True,
)


def unit_of(word: str) -> str:
    """Canonical name of a unit, "" where the word is none."""
    return UNIT_EXACT.get(word) or UNIT_WORDS.get(word.casefold(), "")
