"""Words before a colon that tell a turn from an entry of a list. Data only, folded."""

from __future__ import annotations

ROLES = frozenset(
    """
    user assistant agent ai bot model human system customer client caller operator interviewer interviewee
    moderator host guest speaker participant doctor nurse patient teacher student support advisor lawyer
    witness judge narrator chair president candidate boss manager coach therapist seller buyer
    benutzer nutzer assistent kunde kundin anrufer moderatorin sprecher sprecherin teilnehmer arzt
    ärztin patientin lehrer lehrerin schüler berater interviewerin vorsitz
    utilisateur cliente médecin animateur animatrice intervenant usuario asistente paciente médico
    entrevistador utente assistente moderatore paziente medico usuário atendente
    пользователь ассистент клиент оператор врач пациент ведущий người dùng trợ lý
    用户 助手 客服 客户 医生 病人 主持人 记者 司会 医師 患者 利用者 고객 상담원 사용자
    """.split()
)

# What stands before an entry, a remark, a heading of a paragraph.
NO_SPEAKERS = frozenset(
    """
    note notes fee fees status url urls uri link links name names first last age city country phone tel
    telephone mobile fax date dates time times place location venue address addresses street email mail
    e-mail subject from to cc bcc re price prices cost costs total sum subtotal budget amount balance
    update updates summary overview abstract description details detail action actions decision decisions
    agreed todo to-do task tasks deadline due warning caution danger attention important tip tips hint
    hints example examples e.g result results outcome outcomes question questions answer answers q a faq
    source sources author authors title version versions release build agenda attendees attending
    participants present absent apologies topic topics next step steps day days week month year section
    chapter part item items number no id key keys value values type kind category categories class tag
    tags label owner responsible assignee priority severity state stage phase goal goals aim objective
    scope background context reason reasons cause causes effect problem problems issue issues bug bugs
    fix fixes solution solutions risk risks impact pro pros con cons advantage advantages disadvantage
    requirement requirements input output usage use default option options parameter parameters returns
    return raises args arguments see also ref reference references remark remarks comment comments ps
    p.s nb n.b edit conclusion conclusions introduction intro discussion method methods appendix figure
    table room rooms floor building gate door opening hours open closed monday tuesday wednesday thursday
    friday saturday sunday mon tue wed thu fri sat sun january february march april may june july august
    september october november december morning afternoon evening night breakfast lunch dinner drinks menu
    starter dessert ingredients serves preparation instructions size color colour weight height width
    length depth volume material brand product quantity qty sku model warranty contact website web site
    homepage fact facts definition meaning term terms rule rules exception exceptions purpose duration
    frequency capacity language languages currency job position role roles department team company
    organisation organization project client-id username user-name password login host-name hostname port
    ip server path file files folder size format http https ftp today tomorrow yesterday tonight now
    plan plans idea ideas wish quote quotes keyword keywords prerequisite prerequisites setup
    install installation licence license copyright news event events history feedback reminder reminders
    info information good bad better best worst average minimum maximum min max score rating rank level
    hinweis hinweise notiz notizen gebühr preis kosten summe gesamt betrag datum uhrzeit zeit ort adresse
    anschrift straße strasse stadt land alter telefon handy betreff von an titel verfasser autor quelle
    quellen beispiel beispiele frage fragen antwort antworten ergebnis ergebnisse beschluss beschlüsse
    aufgabe aufgaben frist achtung warnung wichtig tipp tipps stand thema themen tagesordnung anwesend
    teilnehmer teilnehmende entschuldigt nächste schritte zusammenfassung beschreibung grund ursache
    problem lösung ziel ziele zweck raum öffnungszeiten montag dienstag mittwoch donnerstag freitag
    samstag sonntag größe farbe gewicht menge art dauer name vorname nachname beruf firma abteilung
    remarque remarques prix coût date heure lieu adresse ville pays âge téléphone objet titre auteur
    source exemple question réponse résultat décision tâche attention important statut sujet résumé
    nota notas precio costo coste fecha hora lugar dirección ciudad país edad teléfono asunto título autor
    fuente ejemplo pregunta respuesta resultado decisión tarea atención importante estado tema resumen
    nombre prezzo costo data ora luogo indirizzo città paese età telefono oggetto titolo autore fonte
    esempio domanda risposta risultato decisione compito attenzione stato nome riassunto
    preço custo endereço cidade idade telefone assunto exemplo pergunta resposta decisão tarefa atenção
    примечание цена стоимость дата время место адрес город страна возраст телефон тема автор источник
    пример вопрос ответ результат решение задача внимание важно статус имя итог
    ghi chú giá ngày giờ địa chỉ tên tuổi ví dụ câu hỏi trả lời
    注意 备注 价格 时间 地点 地址 姓名 年龄 电话 主题 例如 问题 答案 结果 状态 费用 注
    日時 場所 住所 氏名 年齢 料金
    비고 가격 시간 장소 주소 이름 나이 전화
    """.split()
)

SECOND_PERSON = frozenset(
    """
    you your yours you're you've you'll du dir dich dein deine euch ihnen tu te toi vous votre vos usted
    ustedes tú te ti voi vi você vocês ты тебя тебе вы вас вам ваш bạn anh chị 你 您 你们 あなた 당신
    """.split()
)
GREETINGS = frozenset(
    """
    hi hello hey yes no yeah yep nope ok okay sure thanks thank sorry please great morning welcome bye
    goodbye right agreed exactly absolutely well wow oh hallo hi ja nein danke bitte gut genau klar tschüss
    guten bonjour salut oui non merci d'accord hola sí gracias vale ciao grazie prego va olá oi sim não
    obrigado obrigada привет здравствуйте да нет спасибо хорошо chào vâng không cảm 你好 好的 谢谢 是的 不
    はい いいえ ありがとう こんにちは 안녕하세요 네 아니요
    """.split()
)
