"""Spanish, French, Italian and Portuguese words for time."""

from __future__ import annotations

from typing import Final

from memory.dates.vocabulary import Vocabulary

SPANISH: Final = Vocabulary(
    months="enero ene | febrero feb | marzo mar | abril abr | mayo | junio jun | julio jul"
    " | agosto ago | septiembre setiembre sept sep | octubre oct | noviembre nov | diciembre dic",
    weekdays="lunes | martes | miercoles | jueves | viernes | sabado | domingo",
    ambiguous="mar jun julio ago sep dic ene domingo",
    seasons="primavera | verano | otono | invierno",
    hours="hora horas minuto minutos",
    days="dia | dias",
    weeks="semana | semanas",
    weekends="fin_de_semana fines_de_semana",
    months_long="mes | meses",
    quarters="trimestre trimestres",
    halves="mitad",
    years="ano | anos",
    decades="decada decadas",
    relative="hoy=day+0 ayer=day-1 anteayer=day-2 antes_de_ayer=day-2 antier=day-2 manana=day+1"
    " pasado_manana=day+2 anoche=day-1 esta_manana=day+0 esta_noche=day+0 por_la_manana=day+0"
    " ayer_por_la_manana=day-1 semana_antepasada=week-2",
    last="pasado pasada ultimo ultima anterior pasados pasadas",
    rolling="ultimos ultimas",
    this="este esta presente actual",
    next="proximo proxima siguiente que_viene",
    ago_before="hace",
    ago="atras",
    ahead_before="dentro_de",
    in_="en el los durante a para",
        to="a hasta al hasta_el",
    between="entre",
    and_="y e",
    since="desde desde_el desde_la a_partir_de a_partir_del",
    before="antes_de antes_del",
    after="despues_de despues_del",
    parts="principios principio comienzos inicios inicio | mediados | finales fines final fin",
    numbers="un una uno | dos | tres | cuatro | cinco | seis | siete | ocho | nueve | diez"
    " | once | doce",
    ordinals="primer primera primero | segunda segundo | tercer tercera tercero | cuarto cuarta"
    " | quinto quinta",
    couple="par un_par un_par_de par_de",
    few="unos unas pocos pocas algunos algunas varios varias",
    glue="de del la las lo la_manana por_la_tarde por_la_noche",
    will="sera seran tendra tendran va_a van_a habra empezara comenzara terminara abrira cerrara"
    " vamos_a voy_a saldra",
    plan="previsto prevista previstos previstas programado programada planeado planeada"
    " planificado planificada fijado fijada preve vence plazo fecha_limite",
    present="es son empieza comienza termina acaba abre cierra tiene_lugar tienen_lugar"
    " se_celebra debe deben tengo tiene tienes tenemos tienen llega llegan viene vienen sale salen"
    " ahora tengo_que tiene_que tenemos_que hay_que",
    held="fue fueron era eran estaba habia tuvo empezo comenzo termino abrio cerro dijo he hemos ha han"
    " vi vimos vino fui fuimos hizo hicimos hice pedi pedimos",
    moved="movimos movieron movio movido movida aplazo aplazaron aplazamos aplazado aplazada pospuso"
    " pospusieron pospuesto pospuesta cambio cambiado cambiada retraso retrasaron retrasado retrasada"
    " adelantado adelantada cambiamos cambiaron trasladado trasladada reservamos reserve reservado"
    " invite invitamos prorrogado prorrogada",
    promised="prometio prometieron prometimos prometi quedamos_en quede_en quedaron_en acordamos"
    " acordaron decidimos",
    clause="que pero porque aunque",
    deadlines="hasta hasta_el",
    targets="a al para",
    past="antes$ anteriormente previamente solia solian antiguamente originalmente en_el_pasado"
    " ya_no",
    modifier_follows=True,
)  # fmt: skip

FRENCH: Final = Vocabulary(
    months="janvier janv | fevrier fevr fev | mars | avril avr | mai | juin | juillet juil"
    " | aout | septembre sept | octobre oct | novembre nov | decembre dec",
    weekdays="lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche",
    ambiguous="mars sept oct nov dec",
    seasons="printemps | ete | automne | hiver",
    hours="heure heures minute minutes",
    days="jour | jours",
    weeks="semaine | semaines",
    weekends="week-end week-ends weekend weekends fin_de_semaine",
    months_long="mois",
    quarters="trimestre trimestres",
    halves="moitie",
    years="an annee | ans annees",
    decades="decennie decennies",
    relative="aujourd'hui=day+0 hier=day-1 avant-hier=day-2 demain=day+1 apres-demain=day+2"
    " hier_soir=day-1 ce_matin=day+0 ce_soir=day+0 cette_nuit=day+0 la_nuit_derniere=day-1"
    " la_veille=day-1",
    last="dernier derniere passe passee precedent precedente",
    rolling="derniers dernieres",
    this="ce cet cette",
    next="prochain prochaine suivant suivante",
    ago_before="il_y_a",
    ahead_before="dans",
    in_="en au pendant durant dans_le le lors pour pour_le",
    from_="des_le",
    to="au a jusqu'a jusqu'au jusqu'en",
    between="entre",
    and_="et",
    since="depuis a_partir_de a_partir_du",
    before="avant",
    after="apres",
    parts="debut | milieu mi mi- | fin",
    numbers="un une | deux | trois | quatre | cinq | six | | huit | neuf | dix | onze | douze",
    ordinals="premier premiere | deuxieme second seconde | troisieme | quatrieme | cinquieme",
    few="quelques plusieurs",
    couple="deux_ou_trois",
    glue="la les l d de du des",
    will="aura auront sera seront va vont debutera commencera finira terminera ouvrira fermera"
    " allons vais aurons serons",
    plan="prevu prevue prevus prevues programme programmee planifie planifiee fixe fixee attendu"
    " attendue echeance delai date_limite",
    present="commence debute finit termine ouvre ferme se_tient dois doit devons devez doivent a_lieu"
    " ont_lieu expire c'est arrive arrivent vient viennent part maintenant desormais",
    having="ai avons est",
    held="etait etaient avait avaient fut a_eu ont_eu a_commence eut vu vus vue vues ne nee nes alle"
    " alles allee venu venus venue parti partis partie sorti recu pris mis",
    moved="reporte reportee reportes reportees deplace deplacee repousse repoussee decale decalee avance"
    " avancee ajourne ajournee prolonge prolongee reserve invite",
    promised="promis convenu decide accepte",
    clause="que qu mais parce car bien_que",
    deadlines="jusqu'a jusqu'au",
    targets="au pour pour_le",
    past="avant$ auparavant autrefois jadis anciennement precedemment a_l_origine dans_le_passe"
    " ancien ancienne a_l_epoque ne_plus initialement",
    modifier_follows=True,
    is_weekday_plain=True,
)  # fmt: skip

ITALIAN: Final = Vocabulary(
    months="gennaio gen | febbraio feb | marzo mar | aprile apr | maggio mag | giugno giu"
    " | luglio lug | agosto ago | settembre sett set | ottobre ott | novembre nov | dicembre dic",
    weekdays="lunedi | martedi | mercoledi | giovedi | venerdi | sabato | domenica",
    ambiguous="mar set ago gen dic apr",
    seasons="primavera | estate | autunno | inverno",
    hours="ora ore minuto minuti",
    days="giorno | giorni",
    weeks="settimana | settimane",
    weekends="fine_settimana weekend week-end",
    months_long="mese | mesi",
    quarters="trimestre trimestri",
    halves="meta",
    years="anno | anni",
    decades="decennio decenni",
    relative="oggi=day+0 ieri=day-1 l'altro_ieri=day-2 altro_ieri=day-2 altroieri=day-2"
    " avantieri=day-2 domani=day+1 dopodomani=day+2 ieri_sera=day-1 stamattina=day+0"
    " stasera=day+0 stanotte=day+0",
    last="scorso scorsa passato passata ultimo ultima precedente",
    rolling="ultimi ultime",
    this="questo questa quest",
    next="prossimo prossima",
    ago="fa or_sono",
    ahead_before="tra fra",
    in_="in nel nella nell durante a ad il per",
    from_="da dal dall dalla",
    to="al a fino_a fino_al all",
    between="tra_il fra_il tra_l compreso_tra",
    and_="e ed",
    since="a_partire_da a_partire_dal sin_dal fin_dal",
    before="prima_di prima_del prima_della",
    after="dopo dopo_il dopo_la",
    parts="inizio inizi | meta_di | fine",
    numbers="un uno una | due | tre | quattro | cinque | sei | sette | otto | nove | dieci"
    " | undici | dodici",
    ordinals="primo prima | secondo seconda | terzo terza | quarto quarta | quinto quinta",
    couple="paio un_paio un_paio_di paio_di",
    few="alcuni alcune qualche pochi poche diversi",
    glue="di del della dello dell la i le l d lo",
    will="sara saranno avra avranno si_terra si_terranno terra iniziera comincera finira aprira"
    " chiudera andra andremo avverra",
    plan="previsto prevista previsti previste programmato programmata pianificato pianificata"
    " fissato fissata entro scade scadenza",
    present="inizia comincia finisce termina apre chiude si_tiene ha_luogo devo deve dobbiamo devono e_il e_l"
    " arriva arrivano viene vengono parte ora adesso",
    having="ho hai ha abbiamo avete hanno",
    held="era erano fu furono stato stata stati aveva ebbe visto visti nato nata andato andata andati"
    " arrivato arrivata venuto venuta fatto detto preso messo",
    moved="spostato spostata spostati rinviato rinviata rimandato rimandata posticipato posticipata"
    " anticipato anticipata prorogato prorogata cambiato cambiata prenotato prenotata invitato",
    promised="promesso concordato deciso accettato",
    clause="che ma perche anche_se",
    held_forms=r"\w{2,}(?:at|ut|it)[oaie]",
    deadlines="fino_a fino_al",
    targets="al per",
    past="prima$ precedentemente in_precedenza un_tempo in_passato originariamente ex non_piu"
    " inizialmente all'inizio",
    modifier_follows=True,
    is_weekday_plain=True,
)  # fmt: skip

PORTUGUESE: Final = Vocabulary(
    months="janeiro jan | fevereiro fev | marco mar | abril abr | maio mai | junho jun | julho"
    " jul | agosto ago | setembro set | outubro out | novembro nov | dezembro dez",
    weekdays="segunda-feira | terca-feira | quarta-feira | quinta-feira | sexta-feira | sabado"
    " | domingo",
    ambiguous="mar set ago out mai marco jan",
    seasons="primavera | verao | outono | inverno",
    hours="hora horas minuto minutos",
    days="dia | dias",
    weeks="semana | semanas",
    weekends="fim_de_semana fins_de_semana final_de_semana",
    months_long="mes | meses",
    quarters="trimestre trimestres",
    halves="metade",
    years="ano | anos",
    decades="decada decadas",
    relative="hoje=day+0 ontem=day-1 anteontem=day-2 antes_de_ontem=day-2 amanha=day+1"
    " depois_de_amanha=day+2 ontem_a_noite=day-1 esta_manha=day+0 hoje_de_manha=day+0"
    " esta_noite=day+0",
    last="passado passada ultimo ultima anterior",
    rolling="ultimos ultimas",
    this="este esta neste nesta deste desta",
    next="proximo proxima seguinte que_vem",
    ago_before="ha faz",
    ago="atras",
    ahead_before="daqui_a dentro_de",
    in_="em no na durante o para",
        to="a ate ao ate_o",
    between="entre",
    and_="e",
    since="desde desde_o desde_a a_partir_de",
    before="antes_de antes_do antes_da",
    after="depois_de depois_do apos",
    parts="inicio comeco principio | meados | final fim finais",
    numbers="um uma | dois duas | tres | quatro | cinco | seis | sete | oito | nove | dez | onze"
    " | doze",
    ordinals="primeira primeiro | segundo | terceiro | quarto | quinto",
    couple="par um_par um_par_de par_de",
    few="alguns algumas poucos poucas varios varias uns umas",
    glue="do da dos das de as os",
    will="sera serao tera terao vai vao havera comecara terminara abrira fechara vamos vou ira"
    " irao",
    plan="previsto prevista previstos previstas programado programada planejado planejada"
    " planeado planeada agendado agendada marcado marcada vence prazo",
    present="comeca termina acaba abre fecha sao tem_lugar realiza-se deve devem tenho tem temos"
    " chega chegam vem agora preciso precisa precisamos devo agora_e e_em e_dia e_no_dia e_a",
    held="foi foram era eram estava tinha teve comecou terminou abriu fechou disse encontramo vi vimos"
    " veio fui fomos fez fiz encomendei",
    moved="mudamos mudaram movemos moveram adiado adiada adiados adiadas adiamos adiaram adiou"
    " remarcado remarcada remarcamos antecipado antecipada transferido transferida mudou mudado mudada"
    " prorrogado prorrogada reservamos reservei convidei",
    promised="prometeu prometeram prometemos prometi combinamos combinei combinaram acordamos"
    " decidimos",
    clause="que mas porque embora",
    deadlines="ate ate_o",
    targets="para",
    past="antes$ anteriormente previamente costumava costumavam antigamente originalmente"
    " no_passado ja_nao inicialmente",
    modifier_follows=True,
)  # fmt: skip
