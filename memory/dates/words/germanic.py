"""English, German and Dutch words for time."""

from __future__ import annotations

from typing import Final

from memory.dates.vocabulary import Vocabulary

ENGLISH: Final = Vocabulary(
    months="january jan | february feb | march mar | april apr | may | june jun | july jul"
    " | august aug | september sept sep | october oct | november nov | december dec",
    ambiguous="march mar may april june august jan jun jul sep dec mon wed sat sun fri tue thu",
    weekdays="monday mon | tuesday tue tues | wednesday wed | thursday thu thur thurs | friday"
    " fri | saturday sat | sunday sun",
    seasons="spring springtime | summer summertime | autumn fall | winter wintertime",
    hours="hour minute | hours minutes",
    days="day | days",
    weeks="week | weeks",
    weekends="weekend | weekends",
    months_long="month | months",
    quarters="quarter quarters",
    halves="half",
    years="year | years",
    decades="decade | decades",
    relative="today=day+0 tonight=day+0 this_morning=day+0 this_afternoon=day+0"
    " this_evening=day+0 yesterday=day-1 last_night=day-1 tomorrow=day+1"
    " day_before_yesterday=day-2 day_after_tomorrow=day+2 the_day_before_yesterday=day-2"
    " week_before_last=week-2 month_before_last=month-2 year_before_last=year-2"
    " weekend_before_last=weekend-2",
    last="last previous",
    this="this current",
    next="next upcoming",
    rolling="past",
    ago="ago",
    ahead="from_now hence",
    in_="in on during for within by over at",
    from_="from",
    to="to until till through thru",
    between="between",
    and_="and",
    since="since",
    before="before prior_to",
    after="after following",
    parts="early beginning beginning_of start_of | mid middle_of | late end_of",
    numbers="one | two | three | four | five | six | seven | eight | nine | ten | eleven"
    " | twelve",
    ordinals="first | second | third | fourth | fifth",
    couple="couple couple_of a_couple_of a_couple",
    few="few a_few several",
    glue="the a an of s",
    will="will shall going_to won't is_about_to are_about_to ll has_to have_to need_to needs_to"
    " want_to wants_to would",
    plan="planned scheduled due expected slated set_for intended planning plan plans to_be"
    " deadline forthcoming",
    present="is are am m be starts begins ends opens closes runs expires launches ships arrives"
    " leaves comes departs lands resumes happens takes_place take_place meets returns moves becomes"
    " valid must should can now ve_got have_got has_got s_got",
    having="have has",
    held="was were had did has_been have_been met went came left got made said told took held saw"
    " began ran sold bought paid sent won lost built kept found gave became wrote spoke broke"
    " drove flew grew spent taught thought brought felt heard knew ate drank chose drew fell fought"
    " forgot hid lent meant rode rang rose sang shook shot slept stood stole swam threw understood"
    " woke wore caught dealt fed fled hung learnt lit done seen been gone taken given written"
    " would_have could_have should_have",
    moved="moved shifted slipped pushed postponed rescheduled deferred adjourned delayed extended"
    " prolonged brought_forward put_off changed booked reserved arranged invited ordered",
    promised="promised agreed_to decided_to arranged_to offered_to intended_to meant_to wanted_to"
    " hoped_to",
    clause="that but because which who although while though",
    held_forms=r"(?!(?:shed|sled|shred|hundred|sacred|embed)$)\w+[^\We]ed|agreed|freed|guaranteed",
    deadlines="by until till",
    targets="to for",
    tells_past=True,
    past="used_to use_to previously before_the_change before_it_changed before_now"
    " until_recently formerly before$ originally in_the_past initially at_the_time back_then"
    " prior no_longer former",
)  # fmt: skip

GERMAN: Final = Vocabulary(
    months="januar janner jan | februar feb feber | marz maerz mrz | april apr | mai | juni jun"
    " | juli jul | august aug | september sept sep | oktober okt | november nov | dezember dez",
    weekdays="montag montags mo | dienstag | mittwoch | donnerstag | freitag | samstag sonnabend"
    " | sonntag",
    ambiguous="mo jan",
    seasons="fruhling fruhjahr | sommer | herbst | winter",
    hours="stunde stunden minute minuten",
    days="tag | tage tagen",
    weeks="woche | wochen",
    weekends="wochenende wochenenden wochenendes",
    months_long="monat monats | monate monaten",
    quarters="quartal quartals quartale",
    halves="halfte halbjahr",
    years="jahr jahres jahre | jahren",
    decades="jahrzehnt jahrzehnte jahrzehnten",
    relative="heute=day+0 gestern=day-1 vorgestern=day-2 vorvorgestern=day-3 morgen=day+1"
    " ubermorgen=day+2 heute_morgen=day+0 gestern_morgen=day-1 heute_fruh=day+0"
    " vorletzte_woche=week-2 vorletzten_monat=month-2 vorletztes_jahr=year-2"
    " vergangene_nacht=day-1 letzte_nacht=day-1",
    last="letzte letzten letzter letztes letztem vorige vorigen voriger voriges vorigem"
    " vergangene vergangenen vergangener vergangenes vergangenem",
    this="diese diesen dieser dieses diesem heurigen aktuellen laufenden",
    next="nachste nachsten nachster nachstes nachstem kommende kommenden kommender kommendes"
    " kommendem",
    ago_before="vor",
    in_="im am in an auf fur wahrend zum",
    from_="von vom",
    to="bis bis_zum bis_zur",
    between="zwischen",
    and_="und",
    since="seit ab seit_dem",
    before="vor_dem vor_der bevor vor_beginn",
    after="nach nach_dem nach_der",
    parts="anfang beginn fruh fruhen | mitte | ende spat spaten",
    numbers="ein eine einem einer einen | zwei | drei | vier | funf | sechs | sieben | acht"
    " | neun | zehn | elf | zwolf",
    ordinals="erste ersten erster erstes | zweite zweiten zweiter zweites | dritte dritten"
    " dritter drittes | vierte vierten vierter viertes | funfte funften",
    couple="paar ein_paar",
    few="einigen einige mehreren mehrere wenigen",
    glue="der die das den des dem am_morgen jeden_morgen guten_morgen",
    will="wird werden werde wirst werdet",
    plan="frist stichtag geplant vorgesehen angesetzt terminiert fallig anberaumt angekundigt"
    " plant planen soll sollen",
    present="findet finden statt stattfindet stattfinden startet starten beginnt beginnen endet"
    " enden offnet schliesst lauft gilt gelten erscheint kommt kommen geht tritt"
    " lauft_aus muss mussen kann konnen spatestens gultig bitte"
    " jetzt nun treffe treffen sehe fahre fahren fliege fliegen gehe gehen komme mache darf durfen",
    having="hat haben habe hast habt",
    held="war waren wurde wurden hatte hatten gab fand ging kam kamen begann traf trafen sah sahen fuhr"
    " fuhren zog zogen flog flogen blieb blieben schrieb schrieben rief riefen sprach sprachen nahm"
    " nahmen hielt hielten verlor lief liefen trug sass starb schlief schloss lag lagen",
    moved="verschoben verlegt geandert vertagt verlangert vorverlegt vorgezogen verabredet vereinbart gebucht"
    " reserviert bestellt eingeladen",
    promised="zugesagt versprochen",
    clause="dass aber weil denn obwohl",
    held_forms=r"(?:\w*?ge|be|ver|er|ent|zer)\w{3,}(?:t|(?<!ung|heit|keit|schaft)en)|\w{3,}iert",
    deadlines="bis bis_zum bis_zur",
    targets="auf fur",
    tells_past=True,
    past="vorher vorherige vorherigen vorheriger vorheriges davor$ fruher zuvor damals"
    " ursprunglich ehemals anfangs nicht_mehr ehemalige ehemaliger ehemaligen",
    is_weekday_plain=True,
    has_dotted_ordinals=True,
)  # fmt: skip

DUTCH: Final = Vocabulary(
    months="januari jan | februari feb | maart mrt | april apr | mei | juni jun | juli jul"
    " | augustus aug | september sept sep | oktober okt | november nov | december dec",
    weekdays="maandag | dinsdag | woensdag | donderdag | vrijdag | zaterdag | zondag",
    ambiguous="jan",
    seasons="lente voorjaar | zomer | herfst najaar | winter",
    hours="uur uren minuut minuten",
    days="dag dagen",
    weeks="week weken",
    weekends="weekend weekeinde",
    months_long="maand maanden",
    quarters="kwartaal",
    halves="helft",
    years="jaar jaren",
    decades="decennium",
    relative="vandaag=day+0 gisteren=day-1 eergisteren=day-2 morgen=day+1 overmorgen=day+2"
    " vannacht=day+0 vanavond=day+0 vanochtend=day+0 gisteravond=day-1",
    last="vorige vorig afgelopen laatste",
    this="deze dit",
    next="volgende volgend komende komend",
    ago="geleden",
    ahead_before="over",
    in_="in op tijdens",
    from_="van",
    to="tot t_m tot_en_met",
    between="tussen",
    and_="en",
    since="sinds vanaf",
    before="voor",
    after="na",
    parts="begin | midden half medio | eind einde",
    numbers="een | twee | drie | vier | vijf | zes | zeven | acht | negen | tien | elf | twaalf",
    ordinals="eerste | tweede | derde | vierde | vijfde",
    couple="paar een_paar",
    few="enkele",
    glue="de het",
    will="zal zullen gaat gaan wordt worden",
    plan="gepland voorzien verwacht uiterlijk",
    present="begint start eindigt vindt plaats opent sluit loopt vervalt moet",
    held="was waren werd werden had hadden heeft hebben vond kwam ging",
    clause="dat maar omdat want",
    deadlines="tot t_m tot_en_met",
    past="vroeger voorheen destijds oorspronkelijk voormalig voormalige niet_meer",
    is_weekday_plain=True,
)  # fmt: skip
