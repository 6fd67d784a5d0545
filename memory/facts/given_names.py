"""Given names that are no words of their own, folded. Data only; a hint, never the whole truth."""

from __future__ import annotations

GIVEN_NAMES = frozenset(
    """
    aaron abby abdul abdullah abigail abraham ada adam adele adrian adriana agnes agnieszka ahmad ahmed
    aisha akira alan alba albert alberto alejandro alejandra aleksandr alena alessandra alessandro alex
    alexa alexander alexandra alexandre alexei alexis alfred ali alice alicia alina alison allison alma
    alvaro amanda amber amelia amelie amina amir amit amy ana anais anastasia anders andre andrea andreas
    andrei andres andrew andrzej andy angela angelina angelika anita anja anjali ann anna anne annette
    annika anthony antoine anton antonia antonio anya ari ariana arjun arne arnold arthur arturo asha
    ashley astrid audrey aurelie axel ayesha ayse
    barbara beata beatrice beatriz ben benedikt benjamin benoit bernard bernd bert bethany bianca bjorn
    bogdan boris brad brandon brenda brian bridget britta bruno bryan
    caleb calvin camila camille carina carl carla carlo carlos carmen carol carolin carolina caroline
    catherine cecilia cedric celia celine chandra charles charlie charlotte chen chiara chloe chris
    christa christian christiane christina christine christoph christophe christopher cindy claire clara
    claudia claudio claus clemens connor constanze cornelia craig cristina cynthia
    dagmar damian dan daniel daniela danielle danny daphne daria david deborah deepak delphine denis
    dennis derek detlef diana diane diego dieter dilip dimitri dina dirk dmitri dmitry dominic dominik
    don donna dora dorothea doris douglas duc dylan
    edgar edith eduard eduardo edward edwin eileen ekaterina elena eleonora eli elias elif elisa
    elisabeth elise eliza elizabeth ella ellen elodie elsa emanuel emil emilia emilie emily emma emmanuel
    enrico enrique eric erica erich erik erika ernesto ernst esther ethan eugen eva evelyn evgeny
    fabian fabio fabrice farid fatima federica federico felicia felipe felix ferdinand fernanda fernando
    filip fiona florence florian francesca francesco francisco franz franziska fred frederic frederik
    friedrich fritz
    gabriel gabriela gabriele gabriella gareth gary gemma geoffrey george georg georgia gerald gerard
    gerd gerhard gertrud gianluca gilbert gina giorgio giovanna giovanni gisela gita giulia giuseppe
    gonzalo gordon greg gregor gregory greta guido guillaume guillermo gunnar gunter gustav
    hanna hannah hannes hans harald harriet harry hassan heather hector heidi heike heiko heinrich heinz
    helen helena helene helga helmut henning henrik henry herbert hermann hilda hiroshi holger hugo
    hussein
    ian ibrahim ida ignacio igor ilona ilse ines inga inge ingrid irene irina irma isaac isabel isabella
    isabelle ivan ivana
    jacob jacqueline jacques jaime jake jakob jakub james jamie jan jana jane janet janina janine
    jasmin jasmine jason javier jean jeff jeffrey jelena jenna jennifer jenny jens jeremy jerome jessica
    jill jim joachim joan joana joanna joao joe joel johan johann johanna johannes john johnny jon jonas
    jonathan jorg jorge jose josef joseph joshua juan juana judith julia julian juliana julie juliette
    julio jurgen justin justyna
    kai kamal karen karim karin karina karl karla karolina kaspar kate katharina katherine kathleen
    kathrin kathy katie katja katrin katy kavita keith kelly ken kenji kenneth kerstin kevin khadija
    kiran kirsten klara klaus konrad konstantin kris kristen kristian kristin kristina krzysztof kurt
    kyle
    lara larissa lars laura lauren laurence laurent layla lea leah lena leo leon leonard leonardo leonie
    leslie liam lien liliana lina linda lisa liu livia liz lola lorena lorenzo louis louisa louise luc
    luca lucas lucia luciana lucie lucy ludwig luis luisa lukas luke lydia
    magdalena maja malik malte manfred manuel manuela mara marc marcel marcela marcello marco marcos
    marcus margaret margarita maria mariana marianne marie marina mario marion marisa marius markus
    marlene marta martha martin martina marvin mary mateo mateusz mathias mathieu mathilde matteo matthew
    matthias maurice mauro max maxim maximilian maya megan mehmet mei melanie melissa mia micha michael
    michaela michal michel michele michelle miguel mika mikhail mila milan milena minh miriam mohamed
    mohammed moira molly mona monica monika moritz muhammad murat mustafa
    nadia nadine nadja nancy naomi natalia natalie natasha nathan neha neil nele nelson nicholas nick
    nico nicola nicolas nicole niels niklas nikita nikolai nils nina nisha noah noel noor nora norbert
    norma
    octavio oleg olga oliver olivia olivier omar oscar oskar otto owen
    pablo paola paolo pascal patricia patrick patrik paul paula paulina pavel pedro peggy penelope
    peter petra phil philip philipp philippe pia pierre pietro piotr priya
    rachel rafael rahul raj rajesh ralf ralph ramon raphael raquel raul rebecca regina reinhard renate
    renee ricardo riccardo richard rita robert roberta roberto robin rodrigo roger roland rolf roman
    romina ron ronald rosa rosemary rosie ross roxana roy rudolf rupert russell ruth ryan
    sabine sabrina said salma salvatore sam samantha samir samuel sandra sanjay sara sarah sascha
    saskia scott sean sebastian selma serena sergei sergey sergio sharon sheila shreya sigrid silke
    silvia simon simona simone sina sofia sonia sonja sophia sophie stefan stefania stefanie steffen
    stella stephan stephanie stephen steve steven stuart sue sunil susan susana susanne suzanne sven
    sylvia sylvie
    tamara tania tanja tara tariq tatiana ted teresa tessa thea theo theodor theresa thierry thomas
    thorsten tiago tim timo timothy tina tobias todd tom tomas tomasz tommaso tony torsten tracy
    tristan
    udo ulrich ulrike uma ursula ute uwe
    valentin valentina valeria valerie vanessa vera verena veronica veronika vicky victor victoria
    vijay viktor viktoria vincent viola virginia vivian vladimir volker
    walter wanda wendy werner wilhelm william wolfgang
    xavier xenia yan yana yasmin yolanda yuki yuri yusuf yvonne
    zach zachary zara zeynep zoe zofia zuzanna
    александр алексей алина алла анастасия андрей анна антон борис валентина валерия василий вера
    виктор виктория владимир галина дарья денис дмитрий евгений екатерина елена иван игорь илья ирина
    ксения кирилл лариса леонид людмила максим марина мария михаил наталья никита николай оксана олег
    ольга павел пётр петр полина роман светлана сергей софья степан тамара татьяна федор юлия юрий яна
    """.split()
)

# What longer ones are cut short to: Alex may be Alexander.
SHORT_FORMS = frozenset(
    """
    abby alex andy ben brad chris dan don fred greg jake jeff jenny joe jon ken kim
    leo liz max nick pat phil rob ron sam sue ted theo tim tom tony vicky zach
    """.split()
)
