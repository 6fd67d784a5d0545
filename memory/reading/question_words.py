"""How questions are asked, in the languages that the product is used in. Pure data.

An unknown language loses the type of the answer, nothing else.
"""

from __future__ import annotations

from enum import StrEnum

import regex

# ruff: noqa: E501 - word lists


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
PHRASES: tuple[tuple[AnswerType, str], ...] = (
    (
        AnswerType.NUMBER,
        "how many|how much|how long|how old|how far|how often|how tall|how large|how big|how high"
        "|how deep|how wide|how fast|how heavy|what percentage|what percent|what number|what rate|what share|what fraction|maximum|max"
        "|minimum|limit|cap|at most|at least"
        "|wie viele|wie viel|wieviel|wieviele|wie lange|wie oft|wie hoch|wie alt|wie groß|wie weit"
        "|höchstens|mindestens|welcher anteil|welcher satz|quelle part|quel taux|qué proporción|qué tasa"
        "|combien|quel pourcentage|quel âge|cuánto|cuántos|cuánta|cuántas|qué porcentaje"
        "|quanto|quanti|quanta|quante|quantos|quantas|hoeveel|ile|ilu|câți|câte|cât|câtă"
        "|сколько|скільки|πόσο|πόσοι|πόσες|πόσα|πόσος|πόση|πόσους|kaç|ne kadar|yüzde kaç"
        "|كم|چند|چقدر|כמה|कितने|कितना|कितनी|bao nhiêu|có mấy|mấy giờ|mấy ngày|mấy tháng|mấy năm|mấy người|mấy lần|bao lâu|เท่าไหร่|เท่าไร|กี่"
        "|多少|几|幾|多长|多久|多大|多高|いくつ|いくら|何人|何個|何回|何歳|何km|何メートル|どれくらい|どのくらい"
        "|얼마|몇|berapa|hur många|hur mycket|hvor mange|hvor mye|hvor meget|kuinka monta|kolik|hány",
    ),
    (
        AnswerType.TIME,
        "when|what year|which year|what date|which date|what day|which day|what month|which month|what time"
        "|which week|what century|deadline|how soon|qué hora|quelle heure|che ora|que horas|hoe laat|której godzinie"
        "|котором часу|τι ώρα|klockan|welchem tag|welcher tag|quel jour|qué día|che giorno|que dia"
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

# Words beside the stop words that say how something is asked, not what about.
ASKING_WORDS = frozenset(
    """
    what whats who whos which when where why how much many long often old far kind type sort name named
    called tell say says said give happen happens need know please some there one ones thing things get got
    make made use used according does did do done can may must should would am i me my we our you your
    s t d ll m re
    viel viele wieviel gibt heißt nennt man
    combien appelle nom cuántos cuánto cuántas llama nombre quanti quanto chiama quantos chama
    hoeveel heet ile ilu jest nazywa câți câte numește сколько называется назвали имя
    πόσο πόσα πόσοι πόσες λέγεται ονομάζεται kaç kadar adı denir nedir कितने कितना कितनी नाम
    bao nhiêu gì ai nào đâu sao tên gọi berapa siapa apa nama
    """.split()
)

# Character runs that ask, in scripts without spaces: taken out before n-grams are made.
ASKING = regex.compile(
    "什么时候|什麼時候|为什么|為什麼|什么|什麼|多少|哪一年|哪一个|哪个|哪個|哪些|哪里|哪裡|哪年|哪位|哪|谁|誰|何时|如何|怎么|怎麼|怎样|几"
    "|是否|吗|嗎|呢|的|了|是|在|有|被|和|与|與"
    "|何年|何月|何日|何人|何と|何が|何を|何の|何に|何|いつ|どこ|だれ|誰|なぜ|どのように|どの|どれ|いくつ|いくら"
    "|でしょうか|ですか|ますか|ましたか|でしたか|だったか|である|された|されて|している|していた|という|として|について"
    "|อะไร|ใคร|ที่ไหน|เมื่อไหร่|เมื่อไร|เมื่อใด|อย่างไร|ทำไม|เท่าไหร่|เท่าไร|เท่าใด|กี่|ไหน|ใด|คือ|เป็น|ของ|ที่|ใน|และ|ได้|มี"
)
