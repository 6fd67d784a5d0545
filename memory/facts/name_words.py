"""Words that tell names from others. Data only."""

from __future__ import annotations

import regex

# Between the words of one name.
CONNECTORS = (
    "of|the|de|del|della|di|da|do|dos|das|du|des|la|le|van|von|der|den|zu|ter|bin|al|el|y|и"
)
TITLES = r"(?:Mr|Mrs|Ms|Dr|Prof|St|Sra?|Mme|Mlle|Herr|Frau|г-н|г-жа)\.?"

# Words with a capital that are no names: what a sentence or an utterance opens with, days, months.
OPENERS = frozenset(
    """
    i i'm i've i'll i'd it's that's what's let's there's here's he's she's we're you're they're don't
    hey hi hello wow oh ah yes yeah yep no nope ok okay sure thanks thank great good nice cool sounds
    awesome absolutely definitely totally congrats congratulations sorry please well now then today
    tomorrow yesterday last next maybe perhaps also however therefore because since after before first
    second finally really so keep take check look got glad gonna remember always never even still just
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec
    later earlier once while during under over between among without within against upon about above
    near despite although though unless whether beside besides apart according given despite soon
    again meanwhile only each until through across along around behind below beyond inside outside
    am pm bye lol omg fyi btw tues thurs thur weds every each any all some many most both another other
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli
    oktober dezember hallo danke bitte ja nein heute morgen gestern
    bonjour merci oui non hola gracias sí ciao grazie olá obrigado obrigada sim não
    привет спасибо да нет понедельник вторник среда четверг пятница суббота воскресенье
    chào cảm vâng không
    """.split()
)

# Languages in which every noun has a capital.
NOUN_LANGUAGES = frozenset({"de", "lb"})
PREPOSITIONS_DE = frozenset(
    "in aus nach bei von mit für an durch gegen über herr frau dr. prof.".split()
)
NOUN_ENDINGS_DE = (
    "ung", "heit", "keit", "schaft", "tion", "tät", "ment", "nis", "ling", "chen", "ungen", "heiten",
    "keiten", "tionen", "zeit", "tag", "jahr", "arbeit", "hilfe", "euro", "prozent", "uhr",
)  # fmt: skip

# Before the title that shows what they are: 王先生, 田中さん, 김철수 씨, 北京市.
TITLES_AFTER = regex.compile(
    r"(?P<name>(?:(?:(?![的在是和与於于了有从到跟])\p{Han}){1,4}|[\p{Katakana}ー]{2,10}))(?:さん|様|氏|くん|ちゃん|先生|女士|小姐|教授|博士|经理|經理|主任|总监)"
    r"|(?<!\p{Hangul})(?P<name>\p{Hangul}{2,4})\s?(?:씨|님|선생님|교수님?|박사님?|대표님?|과장님?|부장님?)(?=[은는이가을를의에와과도]|\P{L}|$)"
    r"|(?P<name>(?:(?![的在是和与於于了有从到跟市])\p{Han}){2,8}(?:大学|大學|公司|集团|集團|银行|銀行|医院|醫院|法院))"
    r"|(?<=^|\P{Han}|[在从到和与])(?P<name>\p{Han}{2,3}[市省县縣])(?!\p{Han}{0,1}[场民])"
    r"|(?<!\p{Hangul})(?P<name>\p{Hangul}{1,8}(?:대학교|은행|병원|회사|시청))"
)
# After it: คุณสมชาย, السيد أحمد, श्री शर्मा, ông Nam.
TITLES_BEFORE = regex.compile(
    r"(?:คุณ|นาย|นางสาว|นาง|ดร\.)\s?(?P<name>[\p{Thai}]{2,12})(?!\p{Thai})"
    r"|(?<!\p{L})(?:السيد|السيدة|الدكتور|الدكتورة|الأستاذ|الشيخ)\s+(?P<name>\p{Arabic}{2,20}(?:\s\p{Arabic}{3,20})?)"
    r"|(?<!\p{L})(?:श्री|श्रीमती|डॉ\.?|सुश्री)\s+(?P<name>[\p{Devanagari}]{2,20})"
    r"|(?<!\p{L})(?:מר|גברת|ד[\"״]ר|פרופ')\s+(?P<name>\p{Hebrew}{2,20})"
)
