"""Words that tell names from others. Data only."""

from __future__ import annotations

import regex

# Between the words of one name.
CONNECTORS = (
    "of|the|de|del|della|di|da|do|dos|das|du|des|la|le|van|von|der|den|zu|ter|bin|al|el|y|и"
)
FORMS_OF_ADDRESS = frozenset("mr mrs ms sr sra mme mlle herr frau г-н г-жа".split())
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
    near despite although though unless whether beside besides apart according given soon
    again meanwhile only until through across along around behind below beyond inside outside
    am pm bye lol omg fyi btw tues thurs thur weds every each any all some many most both another other
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli
    oktober dezember hallo danke bitte ja nein heute morgen gestern
    bonjour merci oui non hola gracias sí ciao grazie olá obrigado obrigada sim não
    привет спасибо да нет понедельник вторник среда четверг пятница суббота воскресенье
    chào cảm vâng không
    """.split()
)

# English words that begin a sentence without an article, and are no names.
COMMON = frozenset(
    """
    water power traffic staff money food music news work life time people everyone everybody someone
    somebody anyone anybody nobody nothing something everything anything management production security
    support engineering marketing finance legal payroll sales access data software hardware code coffee
    tea lunch dinner breakfast dessert rain snow weather winter summer spring autumn parking entry
    admission travel transport public private smoking health insurance education school church
    business trade industry government police parliament congress court council class group team
    leadership membership registration enrolment attendance payment delivery shipping storage memory
    bandwidth latency throughput uptime downtime maintenance documentation feedback progress success
    failure demand supply inflation interest rent tax change growth revenue profit turnover mail email
    backup login logout version chapter section page part step phase room floor building gate door
    heat light air gas oil paper glass wood steel metal plastic fuel petrol milk bread butter
    sugar salt pepper meat fish fruit garlic rice half most mine yours theirs none little much less more
    enough plenty due thus hence mom dad mum grandma grandpa mother father sister brother uncle aunt
    doctor teacher nurse patient customer client user manager boss kid child baby dog cat man woman boy
    girl friend neighbour neighbor husband wife son daughter family home house garden kitchen office
    love peace war truth faith hope joy anger fear luck art science history nature sleep age beauty
    """.split()
)
# What one does to somebody whose name stands behind it: "Ask Oskar".
IMPERATIVES = frozenset(
    """
    ask call tell contact email e-mail mail ping meet see text message phone ring write invite remind
    notify inform thank greet visit help give send show bring pay wish congratulate hire cc bcc dm join
    follow let introduce assign consult welcome
    frag frage fragt fragen ruf rufe ruft sag sage sagt schreib schreibe schreibt kontaktiere kontaktiert
    kontaktieren triff treffe trefft hilf helft gib gebt zeig zeige sende sendet schick schicke schickt
    lade erinnere erinnert informiere informiert grüß grüße grüßt besuch besuche
    demande demandez appelle appelez contacte contactez dis dites écris écrivez rencontre rencontrez
    vois voyez préviens prévenez invitez remercie remerciez aide aidez consulte consultez
    pregunta pregunte pregúntale preguntad llama llame llamad contacta contacte dile díselo escribe
    escriba avisa avise invita pide pida visita ayuda consulta
    chiedi chiedete chiama chiamate contatta contattate scrivi scrivete incontra avvisa avvisate
    invitate aiuta pergunte pergunta ligue chame contate contacte escreva avise convide fale
    спроси спросите позвони позвоните напиши напишите скажи скажите
    """.split()
)
COMMON_ENDINGS = (
    "ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ship", "ism", "ology", "ware", "ings",
    "work", "thing", "body", "time", "day",
)  # fmt: skip
# Behind the first word of a sentence they show that it does something.
VERBS = frozenset(
    """
    is was has had does did will would can could may might must should shall isn't wasn't hasn't hadn't
    doesn't didn't won't wouldn't can't couldn't
    says said thinks thought knows knew goes went comes came takes took makes made gets got gives gave
    finds found sees saw tells told wants needs feels felt becomes became leaves left keeps kept begins
    began brings brought writes wrote buys bought sells sold runs ran sits sat stands stood loses lost
    pays paid meets met leads led speaks spoke reads grows grew wins won teaches taught sends sent builds
    built spends spent drives drove eats ate sings sang swims swam flies flew draws drew chooses chose
    breaks broke wears wore holds held hits puts cuts sets lets likes loves hates lives works plays moves
    uses asks calls tries helps talks turns shows starts opens closes owns earns manages heads visits
    prefers plans hopes believes agrees agreed fixes joins studies travels cooks paints replies
    suggests reports maintains handles hosts organises organizes
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
