"""Russian, Ukrainian and Polish words for time, in the cases that time is told in."""

from __future__ import annotations

from typing import Final

from memory.dates.vocabulary import Vocabulary

RUSSIAN: Final = Vocabulary(
    months="январь января январе январем янв | февраль февраля феврале февралем фев | март марта"
    " марте мартом мар | апрель апреля апреле апрелем апр | май мая мае маем | июнь июня июне"
    " июнем июн | июль июля июле июлем июл | август августа августе августом авг | сентябрь"
    " сентября сентябре сентябрем сен сент | октябрь октября октябре октябрем окт | ноябрь"
    " ноября ноябре ноябрем ноя | декабрь декабря декабре декабрем дек",
    weekdays="понедельник понедельника понедельнику | вторник вторника вторнику | среда среду"
    " среды среде | четверг четверга четвергу | пятница пятницу пятницы пятнице | суббота"
    " субботу субботы субботе | воскресенье воскресенья воскресенью",
    ambiguous="среда среды среде мар дек",
    seasons="весна весной весны весну весне | лето летом лета лете | осень осенью осени | зима"
    " зимой зимы зиму зиме",
    hours="час часа часов минуту минуты минут",
    days="день дня дней",
    weeks="неделя недели неделю неделе недель",
    weekends="выходные выходных",
    months_long="месяц месяца месяцев месяце",
    quarters="квартал квартала квартале",
    halves="половина половине",
    years="год года году лет",
    decades="десятилетие десятилетия",
    relative="сегодня=day+0 вчера=day-1 позавчера=day-2 завтра=day+1 послезавтра=day+2"
    " вчера_вечером=day-1 сегодня_утром=day+0 прошлой_ночью=day-1 позапрошлой_неделе=week-2"
    " позапрошлом_месяце=month-2 позапрошлом_году=year-2 полгода_назад=half-1 год_назад=year-1",
    last="прошлый прошлая прошлое прошлые прошлой прошлом прошлую прошлого прошлых прошлым"
    " предыдущий предыдущей предыдущем",
    rolling="последние последних",
    this="этот эта это эти этой этом эту этого этих текущий текущем текущей",
    next="следующий следующая следующее следующей следующем следующую следующих следующим"
    " будущий будущем будущей ближайшие ближайшую",
    ago="назад",
    ahead_before="через",
    in_="в во на за",
    from_="с со",
    to="по до",
    between="между",
    and_="и",
    since="начиная_с",
    before="перед",
    after="после",
    parts="начале начала начало | середине середина середину | конце конец конца",
    numbers="один одну одна одного | два две двух | три трех | четыре четырех | пять пяти"
    " | шесть шести | семь семи | восемь | девять | десять | одиннадцать | двенадцать",
    ordinals="первый первая первой первую первом первое | второй вторая вторую втором | третий"
    " третья третьей третью третьем | четвертый четвертой четвертом | пятый пятой",
    couple="пару пара",
    few="несколько",
    glue="г",
    will="будет будут буду будем состоится состоятся пройдет пройдут начнется начнутся закончится"
    " завершится откроется закроется выйдет выйдем приедет приедем уедет стартует начнем"
    " придет приедут придут прибудет прибудут",
    plan="срок назначен назначена назначено назначены запланирован запланирована запланировано"
    " запланированы планируется планируем планируют намечен намечена намечено намечены ожидается"
    " предстоит должен должна должны",
    present="начинается заканчивается открывается закрывается проходит истекает стартуем теперь"
    " сейчас у_меня у_нас у_тебя у_вас у_него у_нее у_них нужно надо",
    held="был была было были прошел прошла прошло",
    moved="перенесли перенес перенесла перенесен перенесена перенесено перенесены отложили отложил"
    " отложила отложен отложена отложено отложены сдвинули сдвинут сдвинута продлили продлен продлена"
    " забронировали забронировал забронировала пригласил пригласила заказали",
    promised="обещали обещал обещала пообещали пообещал пообещала договорились договорился решили"
    " условились",
    clause="что но потому хотя",
    held_forms=r"(?!(?:отдел|журнал|канал|материал|персонал|портал|филиал|сигнал|футбол|школа|модел"
    r"|кабел|цел|дел|числ|масл|одеял|начал|капитал|потенциал|вокзал|протокол|детал|апрел|бол|недел"
    r"|стол|зал|файл|угол|узел)|\w*[иа]тели$)\w{2,}(?:л|ла|ло|ли)(?:сь|ся)?",
    tells_past=True,
    deadlines="до",
    targets="на",
    past="раньше прежде ранее прежний прежняя прежнее бывший бывшая бывшее первоначально"
    " изначально до_этого больше_не когда_то в_прошлом",
)  # fmt: skip

UKRAINIAN: Final = Vocabulary(
    months="січень січня січні | лютий лютого лютому | березень березня березні | квітень квітня"
    " квітні | травень травня травні | червень червня червні | липень липня липні | серпень"
    " серпня серпні | вересень вересня вересні | жовтень жовтня жовтні | листопад листопада"
    " листопаді | грудень грудня грудні",
    weekdays="понеділок понеділка | вівторок вівторка | середа середу середи | четвер четверга"
    " | п'ятниця п'ятницю п'ятниці | субота суботу суботи | неділя неділю неділі",
    ambiguous="лютий лютого лютому середа середи",
    seasons="весна навесні весни весну | літо влітку літа | осінь восени осені | зима взимку"
    " зими зиму",
    hours="година години годину годин хвилину хвилин",
    days="день дня дні днів",
    weeks="тиждень тижня тижні тижнів",
    weekends="вихідні вихідних",
    months_long="місяць місяця місяці місяців",
    quarters="квартал кварталу кварталі",
    years="рік року роки років році",
    relative="сьогодні=day+0 вчора=day-1 учора=day-1 позавчора=day-2 завтра=day+1"
    " післязавтра=day+2 торік=year-1 цьогоріч=year+0",
    last="минулий минула минуле минулої минулого минулому минулу минулих",
    rolling="останні останніх",
    this="цей ця це ці цієї цього цьому цю цих",
    next="наступний наступна наступного наступної наступному наступну",
    ago="тому",
    ahead_before="через",
    in_="у в на за",
    from_="з із",
    to="по до",
    between="між",
    and_="і та й",
    since="від починаючи_з",
    before="перед",
    after="після",
    parts="початку початок | середині | кінці наприкінці кінець",
    numbers="один одну | два дві | три | чотири | п'ять | шість | сім | вісім | дев'ять | десять",
    ordinals="перший перша першої першу першому | другий друга другої | третій третя третьої",
    couple="пару пара",
    few="кілька декілька",
    will="буде будуть відбудеться відбудуться почнеться розпочнеться закінчиться завершиться"
    " відкриється закриється вийде",
    plan="призначено призначений призначена заплановано запланований запланована планується"
    " очікується",
    present="починається закінчується відкривається проходить",
    held="був була було були",
    clause="що але бо хоча",
    held_forms=r"\w{2,}(?:вся|лася|лося|лися)",
    deadlines="до",
    past="раніше попередньо колишній колишня спочатку до_того більше_не",
)  # fmt: skip

POLISH: Final = Vocabulary(
    months="styczen stycznia styczniu | luty lutego lutym | marzec marca marcu | kwiecien"
    " kwietnia kwietniu | maj maja maju | czerwiec czerwca czerwcu | lipiec lipca lipcu"
    " | sierpien sierpnia sierpniu | wrzesien wrzesnia wrzesniu | pazdziernik pazdziernika"
    " pazdzierniku | listopad listopada listopadzie | grudzien grudnia grudniu",
    weekdays="poniedzialek poniedzialku | wtorek wtorku | sroda srode srody | czwartek czwartku"
    " | piatek piatku | sobota sobote soboty | niedziela niedziele niedzieli",
    seasons="wiosna wiosne wiosny | lato latem lata | jesien jesienia jesieni | zima zime zimy",
    hours="godzina godziny godzine godzin minute minut",
    days="dzien dnia dni",
    weeks="tydzien tygodnia tygodniu tygodnie tygodni",
    weekends="weekend",
    months_long="miesiac miesiaca miesiacu miesiace miesiecy",
    quarters="kwartal kwartale kwartalu",
    years="rok roku lat",
    relative="dzisiaj=day+0 dzis=day+0 wczoraj=day-1 przedwczoraj=day-2 jutro=day+1"
    " pojutrze=day+2 rok_temu=year-1",
    last="zeszly zeszla zeszlego zeszlym zeszlej zeszla poprzedni poprzednim poprzedniego"
    " ubiegly ubieglym ubieglego ubieglej miniony minionym",
    rolling="ostatnie ostatnich",
    this="ten ta to tego tym tej biezacy biezacym",
    next="przyszly przyszlym przyszlego przyszlej nastepny nastepnym nastepnego",
    ago="temu",
    ahead_before="za",
    in_="w we na podczas",
    from_="od",
    to="do",
    between="miedzy pomiedzy",
    and_="i a",
    since="poczawszy_od",
    before="przed",
    after="po",
    parts="poczatku poczatek poczatkiem | polowie srodku | koncu koniec koncem",
    numbers="jeden jedna | dwa dwie | trzy | cztery | piec | szesc | siedem | osiem | dziewiec"
    " | dziesiec",
    ordinals="pierwszy pierwszym pierwszego pierwsza | drugi drugim drugiego | trzeci trzecim"
    " trzeciego",
    couple="pare",
    few="kilka",
    glue="r",
    will="bedzie beda odbedzie odbeda rozpocznie zacznie zakonczy skonczy otworzy zamknie ruszy",
    plan="zaplanowany zaplanowana zaplanowano zaplanowane planowany planowana planowane"
    " wyznaczono oczekiwany termin",
    present="jest sa zaczyna rozpoczyna konczy odbywa otwiera zamyka trwa musi",
    held="byl byla bylo byly zostal zostala zostalo",
    clause="ze ale bo poniewaz choc",
    deadlines="do",
    past="wczesniej dawniej poprzednio przedtem pierwotnie niegdys juz_nie",
    has_dotted_ordinals=True,
)  # fmt: skip
