"""Words that say how a statement holds: now, for good, of the speaker. Data only."""

from __future__ import annotations

import regex

_WORDS_OF_CHANGE = (
    r"as of (?:now|today)|from now on|right now|at present|presently|now|currently|nowadays|instead|anymore"
    r"|these days|jetzt|nun|inzwischen|mittlerweile|neuerdings|ab sofort|aktuell|stattdessen|seitdem"
    r"|maintenant|désormais|dorénavant|actuellement|à présent|ahora|actualmente|ahora mismo|a partir de ahora"
    r"|ora|adesso|attualmente|ormai|agora|atualmente|a partir de agora|теперь|сейчас|отныне|ныне"
    r"|bây giờ|hiện nay|hiện tại|giờ đây|hiện"
)
_UNSPACED_WORDS_OF_CHANGE = r"现在|目前|如今|今は|今(?=\s*\d)|現在|今では|이제는?|지금은?|현재는?"
CHANGE = regex.compile(
    rf"(?<![\p{{L}}\p{{M}}'’])(?:{_WORDS_OF_CHANGE})(?![\p{{L}}\p{{M}}])|{_UNSPACED_WORDS_OF_CHANGE}",
    regex.IGNORECASE,
)
# "no longer" and its like: a change and a denial in one.
ENDED = regex.compile(
    r"\bno longer\b|\bnot anymore\b|\bnicht mehr\b|\bkein\w* \w+ mehr\b|\bya no\b|\bnon (?:\w+ )?più\b"
    r"|\bjá não\b|\bnão (?:\w+ )?mais\b|больше не|уже не|\bkhông còn\b|不再|もう",
    regex.IGNORECASE,
)

# What is left out of a statement to see what it denies.
DENIAL = regex.compile(
    r"\b(is|are)(?:\s+not|n['’]t)\b|\b(?:does not|doesn't|do not|don't|not)\b"
    r"(?!\s(?:all|every|each|always|only|just)\b)|\bnicht\b(?!\s(?:alle[rsnm]?|jede[rsnm]?|immer|nur)\b)|\bne\b|\bpas\b|\bnon\b"
    r"|\bno\b|\bnão\b|\bне\b|\bkhông\b",
    regex.IGNORECASE,
)
PAST = regex.compile(
    r"\b(?:was|were|had|did|used to|previously|formerly|went|bought|ran|made|got|took|saw|came|gave|found|met"
    r"|spent|won|lost|paid|sold|sent|said|told|left|ate|drove|wrote|read|built|\p{L}{2,}[^\We]ed)\b"
    r"|\b(?:war|waren|hatte|hatten|früher|wurde|wurden|était|étaient|avait|autrefois|era|eran|había|antes"
    r"|fu|aveva|prima|foi|eram|tinha|был|была|было|были|раньше|đã|trước đây)\b|了|た。|었|았",
    regex.IGNORECASE,
)

# What has one value, which is any word: "My favourite colour is blue."
ATTRIBUTES = frozenset(
    """
    colour color status name password language size capital title nickname
    farbe name passwort sprache größe hauptstadt spitzname couleur nom statut taille langue
    color nombre estado idioma talla colore nome stato lingua taglia cor senha
    """.split()
)
FAVOURITE = frozenset(
    "favourite favorite lieblingsfarbe préférée préféré favorito favorita".split()
)
# "more than 5" bounds a value and is none.
BOUND = regex.compile(
    r"\b(?:more than|less than|fewer than|at least|at most|up to|over|under|around|about|nearly|mehr als"
    r"|weniger als|mindestens|höchstens|bis zu|über|unter|etwa|plus de|moins de|au moins|au plus"
    r"|jusqu['’]à|environ|más de|menos de|al menos|hasta|unos|più di|meno di|almeno|mais de|более|менее"
    r"|около)\s+$",
    regex.IGNORECASE,
)
# Of these a thing or a person has one at a time.
SOLE = frozenset(
    """
    manager boss head lead leader director ceo cto cfo owner landlord landlady teacher doctor dentist
    tutor supervisor chair chairman president mayor captain wife husband spouse partner fiancé fiancée
    girlfriend boyfriend capital winner host
    city town village country school employer hometown birthplace
    chef chefin leiter leiterin geschäftsführer eigentümer vermieter lehrer ärztin arzt frau mann präsident
    bürgermeister partnerin hauptstadt stadt wohnort heimat arbeitgeber
    ville pays ciudad país città responsable directeur directrice patron propriétaire médecin femme
    mari président maire jefe jefa director directora dueño médico esposa marido presidente alcalde
    capo direttore direttrice proprietario moglie marito sindaco gerente dono esposo prefeito
    """.split()
)
# One of several at least: "has a printer on floor 2".
INDEFINITE = regex.compile(
    r"\b(?:a|an|ein|eine[nmr]?|un|une|una|um|uma|uno|một)\s", regex.IGNORECASE
)
# What leaves and arrives many times a day.
TIMETABLED = regex.compile(
    r"\b(?:trains?|bus(?:es)?|flights?|ferr(?:y|ies)|trams?|planes?|shuttles?|coach(?:es)?|zug|züge|fähre|flug|straßenbahn"
    r"|trains?|avions?|tren|trenes|autobús|vuelo|treno|autobus|volo|trem|ônibus|voo|поезд|автобус|рейс|tàu|chuyến)\b"
    r"|火车|列车|公交|航班|電車|列車|バス|便",
    regex.IGNORECASE,
)

# What says that a day is the only one of its kind: a plan has one at a time, a meeting may have many.
PLANNED = regex.compile(
    r"\b(?:planned|scheduled|due|deadline|postponed|rescheduled|set|launch(?:es)?|release date|expir\w+)\b"
    r"|\b(?:geplant|angesetzt|fällig|verschoben|terminiert|frist|ablaufdatum)\b"
    r"|\b(?:prévue?|planifiée?|fixée?|échéance|previst[oa]|programad[oa]|planead[oa]|fijad[oa]|plazo)\b"
    r"|\b(?:programmat[oa]|fissat[oa]|scadenza|agendad[oa]|marcad[oa]|prazo|dự kiến|hạn chót)\b"
    r"|\b(?:запланирован\w*|назначен\w*|намечен\w*|срок)\b|计划|定于|截止|予定|締め切り|예정|마감",
    regex.IGNORECASE,
)
# "The server runs Debian 11": a thing of which there is one runs one version.
RUNS = regex.compile(
    r"\b(?:runs(?: on)?|is running(?: on)?|is on|läuft (?:auf|mit|unter)|tourne sous|fonctionne sous"
    r"|funciona con|corre en|gira su|roda (?:em|no)|работает на|chạy)\s+(?:\w+\s+){0,2}$",
    regex.IGNORECASE,
)
# A participle behind a form of "be" says how something is, no event.
LASTING = regex.compile(
    r"\b(?:is|are|be|been|gets?)\s+(?:\w+ly\s+|still\s+|always\s+|not\s+)?(?:lock|unlock|open|clos|plann|schedul|pric|locat"
    r"|bas|cap|capp|limit|licens|rat|staff|host|stor|serv|deliver|charg|bill|reserv|book|assign|expect"
    r"|call|nam|own|led|back|clean|empti|check|inspect|marri|divorc|retir|insur|enabl|disabl|activat|connect)(?:ed)?\b",
    regex.IGNORECASE,
)
# From Monday on: with spaces between words, and in scripts without.
WEEKDAYS = (
    (r"mondays?|montags?|lundis?|lunes|lunedì|segundas?-feiras?|понедельник\w*|thứ hai|maandag",
     r"(?:星期|周|週|礼拜)一|月曜日?|월요일"),
    (r"tuesdays?|dienstags?|mardis?|martes|martedì|terças?-feiras?|вторник\w*|thứ ba|dinsdag",
     r"(?:星期|周|週|礼拜)二|火曜日?|화요일"),
    (r"wednesdays?|mittwochs?|mercredis?|miércoles|mercoledì|quartas?-feiras?|сред[ауыеу]|thứ tư|woensdag",
     r"(?:星期|周|週|礼拜)三|水曜日?|수요일"),
    (r"thursdays?|donnerstags?|jeudis?|jueves|giovedì|quintas?-feiras?|четверг\w*|thứ năm|donderdag",
     r"(?:星期|周|週|礼拜)四|木曜日?|목요일"),
    (r"fridays?|freitags?|vendredis?|viernes|venerdì|sextas?-feiras?|пятниц\w*|thứ sáu|vrijdag",
     r"(?:星期|周|週|礼拜)五|金曜日?|금요일"),
    (r"saturdays?|samstags?|sonnabends?|samedis?|sábados?|sabato|суббот\w*|thứ bảy|zaterdag",
     r"(?:星期|周|週|礼拜)六|土曜日?|토요일"),
    (r"sundays?|sonntags?|dimanches?|domingos?|domenica|воскресень\w*|chủ nhật|zondag",
     r"(?:星期|周|週|礼拜)[日天]|日曜日?|일요일"),
)  # fmt: skip
# Of what recurs there is one day: "the weekly sync".
RECURRING = regex.compile(
    r"\b(?:weekly|fortnightly|wöchentlich\w*|hebdomadaire|semanal|settimanale|еженедельн\w*|hàng tuần)\b"
    r"|每周|毎週|매주",
    regex.IGNORECASE,
)

ARTICLES = frozenset(
    """
    the a an der die das den dem des ein eine einen einem einer le la les un une el los las una unos
    unas il lo gli uno o os as um uma de het een och
    """.split()
)

# Predicates of a state, which has one value at a time; an event may happen again with another one.
STATES = frozenset(
    """
    is are has have costs cost opens open closes close starts start begins begin ends end lasts last
    takes take weighs weigh measures contains holds requires needs allows runs leaves departs arrives
    lives live works work equals remains stays expires pays earns employs serves seats supports uses
    charges owns leads heads manages means happens meets
    ist sind hat haben kostet öffnet schließt beginnt endet dauert wiegt beträgt enthält wohnt arbeitet
    heißt liegt leitet braucht gilt misst fährt läuft findet tagt kommt verwendet nutzt
    est sont a ont lieu tourne coûte ouvre ferme commence finit dure pèse contient habite travaille
    dirige vaut
    es son está están tiene usa funciona corre cuesta abre cierra empieza termina dura pesa contiene vive
    trabaja dirige
    è sono ha usa gira costa apre chiude inizia finisce pesa contiene abita lavora
    é são tem usa roda custa fecha começa contém mora trabalha
    стоит открывается закрывается начинается заканчивается длится весит составляет живёт живет
    работает проходит находится имеет равен равна
    là có chạy mở đóng nặng dài sống
    """.split()
)
UNSPACED_STATES = regex.compile(
    r"是|为|有|在|开门|关门|开放|营业|住|です|である|は|이다|입니다|은|는"
)

# What one thing has exactly one of at a time, as a pattern over folded words up to the name.
COPULAS = frozenset("is ist est es está è é là".split())
# Nobody in particular: what is said of one customer is no news of another.
ANYBODY = frozenset(
    """
    a an another any some someone somebody anyone most many half several few both two three four five
    all every each one other others ein eine einer einem jemand manche viele mehrere einige zwei drei
    alle jeder jede un une quelqu'un plusieurs certains deux trois tous uno una alguien varios muchos
    dos tres todos qualcuno alcuni molti due tutti um uma alguém muitos vários dois todos один одна
    кто-то многие несколько две два
    """.split()
)
ONE_PLACE = (
    ("lives", "in"), ("live", "in"), ("works", "at"), ("works", "for"), ("work", "at"), ("work", "for"),
    ("located", "in"), ("based", "in"), ("married", "to"), ("led", "by"),
    ("wohnt", "in"), ("arbeitet", "bei"), ("habite", "à"), ("vive", "en"), ("vive", "a"), ("abita", "a"),
    ("mora", "em"), ("живет", "в"), ("работает", "в"),
)  # fmt: skip
OF = frozenset("of for at in von für bei de du des del di da do dos для в của".split())
DEFINITE = frozenset(
    """
    the my our their his her its your der die das den mein meine unser unsere le la les mon ma mes notre
    nos el mi nuestro nuestra il lo mio mia nostro o os meu minha nosso nossa мой моя наш наша
    """.split()
)

# Who says it matters: "I", "my".
_FIRST_PERSON_IN = {
    "en": "i me my mine myself we us our ours i'm i've i'll i'd we're we've",
    "de": "ich mir mich mein meine meinen meiner wir uns unser unsere",
    "fr": "je j'ai moi mon ma mes nous notre nos",
    "es": "yo mí mi mis nosotros nuestro nuestra nos",
    "it": "io mio mia noi nostro nostra",
    "pt": "eu meu minha nós nosso nossa",
    "ru": "я мне меня мой моя мы нам нас наш наша",
    "vi": "tôi mình chúng",
    "zh": "我 我们",
    "ja": "俺 私 僕",
    "ko": "나 저",
}
FIRST_PERSON = frozenset(" ".join(_FIRST_PERSON_IN.values()).split())
_FIRST_PERSON_OF = {
    language: frozenset(words.split()) for language, words in _FIRST_PERSON_IN.items()
}


def first_person(language: str) -> frozenset[str]:
    """Of a language that is not known all: "Mia" and "EU" are Italian and Portuguese for "my" and "I"."""
    return _FIRST_PERSON_OF.get(language.partition("-")[0], FIRST_PERSON)


FIRST_PERSON_UNSPACED = regex.compile(r"我|私|僕|俺")
# Whom it is about stands in another sentence.
VAGUE = frozenset(
    """
    it he she they this that there here these those one er sie es dies il elle ils elles ce ça cela él ella
    ellos eso esto lui lei questo ele ela isso он она оно они это nó 它 他 她 そ
    """.split()
)
