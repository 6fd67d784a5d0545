"""What a question asks for, read from its words alone. Pure; small lexicons instead of a model.

The lists hold function words and question words of the languages that the product is used in. An
unknown language loses the type of the answer, nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import regex

from memory.terms import Term, fold, terms

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.\-][\p{L}\p{M}\p{N}]+)*")
_NUMBER = regex.compile(r"\p{Nd}+(?:[.,:/]\p{Nd}+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


class AnswerType(StrEnum):
    NUMBER = "number"
    TIME = "time"
    PERSON = "person"
    PLACE = "place"
    REASON = "reason"
    MANNER = "manner"
    DEFINITION = "definition"
    OTHER = "other"


# The first type with a phrase in the question wins: "how long" before "how".
_PHRASES: tuple[tuple[AnswerType, str], ...] = (
    (
        AnswerType.NUMBER,
        "how many|how much|how long|how old|how far|how often|how tall|how large|how big|how high"
        "|how deep|how wide|how fast|how heavy|what percentage|what percent|what number|maximum|max"
        "|minimum|limit|cap|at most|at least|deadline"
        "|wie viele|wie viel|wieviel|wieviele|wie lange|wie oft|wie hoch|wie alt|wie groß|wie weit"
        "|höchstens|mindestens"
        "|combien|quel pourcentage|quel âge|cuánto|cuántos|cuánta|cuántas|qué porcentaje"
        "|quanto|quanti|quanta|quante|quantos|quantas|hoeveel|ile|ilu|câți|câte|cât|câtă"
        "|сколько|скільки|πόσο|πόσοι|πόσες|πόσα|πόσος|πόση|πόσους|kaç|ne kadar|yüzde kaç"
        "|كم|چند|چقدر|כמה|कितने|कितना|कितनी|bao nhiêu|mấy|bao lâu|เท่าไหร่|เท่าไร|กี่"
        "|多少|几|幾|多长|多久|多大|多高|いくつ|いくら|何人|何個|何回|何歳|何km|何メートル|どれくらい|どのくらい"
        "|얼마|몇|berapa|hur många|hur mycket|hvor mange|hvor mye|hvor meget|kuinka monta|kolik|hány",
    ),
    (
        AnswerType.TIME,
        "when|what year|which year|what date|what day|what month|what time|what century|in what year"
        "|wann|welchem jahr|welches jahr|quand|quelle année|quelle date|cuándo|qué año|en qué año"
        "|quando|che anno|quale anno|que ano|em que ano|wanneer|welk jaar|kiedy|którym roku"
        "|când|ce an|în ce an|когда|каком году|коли|πότε|ποια χρονιά|ποιο έτος|ne zaman|hangi yıl"
        "|hangi yılda|متى|أي عام|أي سنة|کی|چه سال|چه زمانی|מתי|באיזו שנה|कब|किस वर्ष|किस साल"
        "|khi nào|năm nào|ngày nào|bao giờ|เมื่อไหร่|เมื่อใด|ปีใด|ปีไหน|什么时候|何时|何時|哪一年|哪年|哪天"
        "|什麼時候|いつ|何年|何月|何日|언제|몇 년|kapan|tahun berapa|när|vilket år|når|hvilket år|milloin|kdy|mikor",
    ),
    (
        AnswerType.PERSON,
        "who|whom|whose|wer|wem|wen|wessen|qui|quién|quiénes|chi|quem|wie is|kto|kogo|cine|кто|кого|кому"
        "|кем|хто|ποιος|ποια|ποιοι|ποιον|kim|kimin|kime|kimler|من|چه کسی|کی|מי|कौन|किसने|किसे|किसके"
        "|ai|ใคร|谁|誰|哪位|だれ|누구|누가|siapa|vem|hvem|kuka|kdo|ki",
    ),
    (
        AnswerType.PLACE,
        "where|what city|what country|which city|which country|wo|wohin|woher|où|dónde|adónde|dove|onde"
        "|waar|gdzie|skąd|unde|где|куда|откуда|де|πού|που|nerede|nereye|nereden|hangi ülke|hangi şehir"
        "|أين|کجا|איפה|היכן|कहाँ|कहां|किस देश|ở đâu|nơi nào|đâu|ที่ไหน|哪里|哪儿|何处|哪個國家|哪个国家|哪裡|どこ|어디"
        "|di mana|dimana|ke mana|var|hvor|missä|kde|hol",
    ),
    (
        AnswerType.REASON,
        "why|what reason|what caused|how come|warum|weshalb|wieso|pourquoi|por qué|perché|por que|porque"
        "|waarom|dlaczego|de ce|почему|зачем|чому|γιατί|neden|niçin|niye|لماذا|چرا|למה|מדוע|क्यों"
        "|tại sao|vì sao|ทำไม|เพราะเหตุใด|为什么|為什麼|为何|なぜ|どうして|왜|mengapa|kenapa|varför|hvorfor|miksi|proč|miért",
    ),
    (
        AnswerType.MANNER,
        "how|wie|comment|cómo|come|como|hoe|jak|cum|как|як|πώς|πως|nasıl|كيف|چگونه|چطور|איך|כיצד|कैसे"
        "|như thế nào|thế nào|อย่างไร|怎么|怎样|如何|怎麼|どのように|どうやって|어떻게|bagaimana|hur|hvordan|miten|hogyan",
    ),
    (
        AnswerType.DEFINITION,
        "what is a|what is an|what are|what does mean|was ist ein|was ist eine|qu'est ce que|qué es|che cos'è"
        "|o que é|wat is|co to jest|ce este|что такое|τι είναι|nedir|ما هو|ما هي|چیست|מהו|מהי|क्या है"
        "|là gì|คืออะไร|是什么|是什麼|とは何|とは|무엇인가|apa itu|vad är|hva er|hvad er|mikä on|co je|mi az",
    ),
)

# Words that carry no topic, so that leaving them out of a sentence says nothing.
FUNCTION_WORDS = frozenset(
    fold(word)
    for word in (
        "a an the this that these those there here i me my mine you your yours he him his she her hers it its"
        " we us our ours they them their theirs who whom whose what which when where why how"
        " is am are was were be been being do does did done doing have has had having will would shall should"
        " can could may might must of in on at by to from for with without about into onto over under between"
        " through during before after above below up down out off as than then so and or but if nor not no"
        " any some each every all both few more most other such only own same too very just also s t d ll m re"
        " much many long often old far kind type sort name called get got make made use used according"
        " tell say says said give happen happens need know me please some there let's one ones thing things"
        # German
        " der die das den dem des ein eine einer eines einem einen und oder aber nicht kein keine ist sind war"
        " waren wird werden wurde wurden hat haben hatte hatten sein bei mit von vom zu zum zur im in am an auf"
        " aus für über unter nach vor durch gegen ohne um als wie was wer wo wann warum welche welcher welches"
        " welchem welchen man sich es er sie wir ihr ich du ihm ihn ihnen auch nur noch schon sehr dass wenn"
        " viele viel wieviel dieser diese dieses gibt"
        # French
        " le la les un une des du de d l au aux et ou mais ne pas est sont était étaient a ont avait avaient"
        " être avoir il elle ils elles on nous vous je tu se sa son ses leur leurs ce cet cette ces qui que quoi"
        " quel quelle quels quelles où quand comment pourquoi combien dans sur sous par pour avec sans entre"
        # Spanish
        " el la los las un una unos unas de del al y o u pero no es son era eran fue fueron ha han había ser"
        " estar está están se su sus lo le les que qué quién quiénes cuál cuáles cuándo dónde cómo cuánto"
        " cuántos cuánta cuántas por para con sin en entre sobre desde hasta como más muy también qué"
        # Italian, Portuguese
        " il lo gli i uno dei degli delle della dello di da dal dalla nel nella nei con su per tra fra che chi"
        " cosa quale quali dove come perché quanto quanti quante è sono fu furono era erano ha hanno si non più"
        " o os as um uma uns umas do da dos das no na nos nas ao à aos às e ou mas não é são foi foram eram"
        " tem têm que quem qual quais onde quando como por para com sem em entre seu sua seus suas"
        # Dutch, Scandinavian, Finnish
        " het een en of maar niet geen zijn was waren wordt worden werd heeft hebben had bij met van voor aan"
        " op uit naar wat wie welke waar wanneer hoe hoeveel waarom"
        " och eller men inte är var hade har ett den det de som med av för på till från i om vad vem vilken"
        " vilket hur när"
        " og eller men ikke er var hadde har et den det som med av for på til fra om hva hvem hvilken hvilket"
        " hvilke hvor når hvordan blir ble å ja on oli ei se että mikä kuka missä"
        # Polish, Romanian, Turkish
        " i oraz lub ale nie jest są był była było byli być ma mają w we na do z ze o od za po przez dla przy"
        " się jaki jaka jakie jakiego jakiej który która które których kto co gdzie kiedy jak ile czy tym tego"
        " și sau dar nu este sunt era erau fost a au avea fi un o unei unui cel cea cei cele al ale ai la în din"
        " de pe cu pentru prin care ce cine când unde cum cât câți câte se lui"
        " ve veya ama değil mi mı mu mü bir bu şu o ile için de da ne kim nerede nasıl kaç hangi kadar olan"
        " olarak idi nedir kimdir en daha"
        # Russian, Greek
        " и или но не в во на с со к ко о об от до из за по для при у что кто где когда как какой какая какое"
        " какие каких какого сколько почему чей это этот эта эти был была было были быть есть его её их он она"
        " они который которая которые ли же бы"
        " ο η το οι τα του της των τον την τους τις ένας μια ένα και ή αλλά δεν είναι ήταν έχει έχουν είχε σε"
        " στο στη στην στον στα στις στους από με για προς κατά ως τι ποιος ποια ποιο ποιοι ποιες ποιον πού"
        " πότε πώς πόσο πόσα πόσοι πόσες γιατί που να θα"
        # Arabic, Persian, Hebrew, Hindi
        " في من على إلى عن مع هو هي هم ما ماذا متى أين كيف كم لماذا هل التي الذي الذين كان كانت هذا هذه ذلك أن"
        " أو و لا لم قد أي"
        " در از به با که را این آن است بود شد می برای تا یا و چه چیست کدام کجا چند چگونه چرا"
        " של את על עם אל מ ב ל ה הוא היא הם זה זו אשר כי לא או גם מה מי מתי איפה איך כמה למה היה היתה היו"
        " का के की को में से पर और या है हैं था थी थे हो ने यह वह ये वे इस उस क्या कौन कब कहाँ कैसे कितने कितना"
        " कितनी किस किसने किसके क्यों नहीं एक लिए द्वारा जो कि भी गया गई किया"
        # Vietnamese, Indonesian
        " là và hoặc nhưng không có của trong trên ở tại từ đến cho với bởi để được bị đã sẽ đang những các một"
        " cái gì ai nào đâu khi sao bao nhiêu này đó thì mà ra vào"
        " yang dan atau tetapi tidak adalah ialah di ke dari pada untuk dengan oleh dalam ini itu apa siapa"
        " kapan mana bagaimana berapa mengapa sebuah seorang para"
    ).split()
)

# Character runs that ask, in scripts without spaces: taken out before n-grams are made.
_ASKING = regex.compile(
    "什么时候|什麼時候|为什么|為什麼|什么|什麼|多少|哪一年|哪一个|哪个|哪個|哪些|哪里|哪裡|哪年|哪位|哪|谁|誰|何时|如何|怎么|怎麼|怎样|几"
    "|是否|吗|嗎|呢|的|了|是|在|有|被|和|与|與"
    "|何年|何月|何日|何人|何と|何が|何を|何の|何に|何|いつ|どこ|だれ|誰|なぜ|どのように|どの|どれ|いくつ|いくら"
    "|でしょうか|ですか|ますか|ましたか|でしたか|だったか|である|された|されて|している|していた|という|として|について"
    "|อะไร|ใคร|ที่ไหน|เมื่อไหร่|เมื่อไร|เมื่อใด|อย่างไร|ทำไม|เท่าไหร่|เท่าไร|เท่าใด|กี่|ไหน|ใด|คือ|เป็น|ของ|ที่|ใน|และ|ได้|มี"
)


@dataclass(frozen=True, slots=True)
class Question:
    """``terms`` are what an answer should be about, without function words."""

    text: str
    answer_type: AnswerType
    terms: tuple[Term, ...]
    names: tuple[str, ...]  # capitalised words that do not merely start the question; acronyms
    numbers: tuple[str, ...]
    is_definition: bool


def analyse(text: str, language: str = "") -> Question:
    asked = _ASKING.sub(" ", text)
    found = terms(asked, language)
    content = tuple(term for term in found if term.folded not in FUNCTION_WORDS)
    return Question(
        text=text,
        answer_type=answer_type(text),
        terms=content or tuple(found),
        names=_names(text),
        numbers=tuple(_NUMBER.findall(text)),
        is_definition=_matches(text, dict(_PHRASES)[AnswerType.DEFINITION]),
    )


def answer_type(text: str) -> AnswerType:
    for kind, phrases in _PHRASES:
        if _matches(text, phrases):
            return kind
    return AnswerType.OTHER


def parts(text: str) -> tuple[str, ...]:
    """The questions of a double question, else the question itself.

    >>> parts("What is the fee and who approves it?")
    ('What is the fee', 'who approves it?')
    """
    pieces = [piece.strip() for piece in _SPLIT.split(text) if piece.strip(" ?？؟")]
    if len(pieces) < 2 or any(answer_type(piece) is AnswerType.OTHER for piece in pieces):
        pieces = [piece.strip() for piece in _MARKS.split(text) if piece.strip(" ?？؟")]
    return tuple(pieces) if len(pieces) > 1 else (text.strip(),)


_MARKS = regex.compile(r"(?<=[?？؟])\s*(?=\S)")
_SPLIT = regex.compile(
    r"(?<=[?？؟])\s*(?=\S)|[,;]?\s+(?:and|und|et|y|e|en|i|și|ve|и|και|و|och|og|và|dan)\s+"
    r"(?=(?:how|what|who|when|where|why|which|wie|was|wer|wann|wo|warum|welche|combien|comment|qui|quand|où"
    r"|pourquoi|quel|cuánt|quién|cuándo|dónde|cómo|qué|quanto|chi|quando|dove|come|quem|onde|сколько|кто|когда"
    r"|где|как|что|πόσ|ποιος|πότε|πού|kaç|kim|nerede|bao nhiêu|ai|khi nào|berapa|siapa|kapan|di mana)\b)",
    regex.IGNORECASE,
)


def _names(text: str) -> tuple[str, ...]:
    words = list(_WORD.finditer(text))
    names = []
    for index, match in enumerate(words):
        word = match.group()
        if fold(word) in FUNCTION_WORDS:
            continue
        acronym = len(word) > 1 and word.isupper()
        if acronym or (index > 0 and word[0].isupper()):
            names.append(word)
    return tuple(names)


_COMPILED: dict[str, regex.Pattern] = {}


def _matches(text: str, phrases: str) -> bool:
    pattern = _COMPILED.get(phrases)
    if pattern is None:
        spaced, unspaced = [], []
        for phrase in phrases.split("|"):
            (unspaced if _UNSPACED.search(phrase) else spaced).append(regex.escape(fold(phrase)))
        pattern = _COMPILED[phrases] = regex.compile(
            rf"(?<![\p{{L}}\p{{M}}])(?:{'|'.join(spaced)})(?![\p{{L}}\p{{M}}])"
            + (f"|{'|'.join(unspaced)}" if unspaced else "")
        )
    return pattern.search(fold(text)) is not None
