"""Questions about what held before, in many wordings, and those that only sound like one."""

from __future__ import annotations

import pytest

from memory.dates import is_about_past


@pytest.mark.parametrize(
    "text",
    [
        "What was the depot's previous opening time?",
        "What opening time held before for the depot?",
        "Before, when did it open?",
        "What were the old opening hours?",
        "When was it opening earlier?",
        "When was the depot opening earlier?",
        "What was the earlier opening time?",
        "What held before, and now?",
        "What held before?",
        "Was galt vorher?",
        "Was galt davor?",
        "Wann öffnete das Depot davor?",
        "Was war die vorherige Öffnungszeit?",
        "Wie waren die alten Öffnungszeiten?",
        "Wie war die frühere Regelung?",
        "Wann öffnete es früher?",
        "仓库之前几点开门？",
        "之前几点开门？",
        "仓库原来的开门时间是几点？",
        "Antes, quando abria?",
        "Antes quando abria o depósito?",
        "¿Antes cuándo abría?",
        "¿Cuál era el horario anterior?",
        "Qual era o horário anterior?",
        "Prima quando apriva?",
        "Prima, quando apriva?",
        "Qual era l'orario precedente?",
        "Qual era il vecchio orario?",
        "Avant, quand ouvrait le dépôt ?",
        "Quel était l'horaire précédent ?",
        "Какой был предыдущий график?",
        "Який був попередній графік?",
        "Jaki był poprzedni limit?",
        "Önceki açılış saati neydi?",
        "Giờ mở cửa cũ là gì?",
        "前は何時に開いていましたか",
        "前の営業時間は？",
        "倉庫は前は何時に開きましたか",
        "전에 몇 시에 열었나요?",
        "이전 영업시간은?",
        "डिपो पहले कब खुलता था?",
        "पहले क्या सीमा थी?",
        "Hoe laat ging het eerder open, en wat gold er eerder?",
        "Wat gold er vroeger?",
        "เวลาเปิดเดิม",
        "ما هو الحد من قبل؟",
    ],
)
def test_asks_what_held_before(text: str) -> None:
    assert is_about_past(text)


@pytest.mark.parametrize(
    "text",
    [
        "Does it open before 9 am?",
        "What must be ready before the meeting?",
        "Was the depot open before 9 am?",
        "Can we meet earlier than 9?",
        "Can I come earlier?",
        "Was it earlier than Monday?",
        "Who was there before the meeting?",
        "What should I do before I leave?",
        "Submit the form before Friday?",
        "What must be done before, during, and after the trip?",
        "Is it the old town?",
        "What happened the previous day?",
        "What happened on the previous weekend?",
        "Kann ich früher als 9 kommen?",
        "Was muss ich vor der Reise tun?",
        "Was muss vor 9 Uhr fertig sein?",
        "Wann öffnet das Depot?",
        "Läuft alles prima?",
        "My ex called.",
        "开会之前做什么？",
        "会议之前要准备什么？",
        "9点之前要做什么？",
        "2020年之前发生了什么？",
        "会議の前は何をしますか",
        "食べる前は何をしますか",
        "名前は何ですか",
        "駅前の店は？",
        "¿Qué pasó antes de mayo?",
        "¿Qué hay que hacer antes de las 9?",
        "¿Qué pasó la semana anterior?",
        "Que faut-il faire avant la réunion ?",
        "Que s'est-il passé la semaine précédente ?",
        "O que fazer antes da reunião?",
        "Cosa fare prima della riunione?",
        "Che è successo il giorno precedente?",
        "Что сделать до 9 утра?",
        "Можно прийти раньше 9?",
        "Можно прийти раньше чем в 9?",
        "Co zrobić przed spotkaniem?",
        "Toplantıdan önce ne yapmalı?",
        "Wat moet voor de vergadering klaar zijn?",
        "Phải làm gì trước cuộc họp?",
        "회의 전에 무엇을 하나요?",
        "2020년 이전에 무슨 일이 있었나요?",
        "मीटिंग से पहले क्या करना है?",
        "तीन दिन पहले क्या हुआ?",
        "tháng trước",
        "先月の上限は",
        "Where was Ana born?",
        "Who is the owner?",
        "How old is the number 7 tram?",
    ],
)
def test_a_term_or_a_date_is_not_what_held_before(text: str) -> None:
    assert not is_about_past(text)


def test_a_language_that_is_told_is_believed() -> None:
    assert is_about_past("Was galt vorher?", "de")
    assert not is_about_past("Was galt vorher?", "fr")
    assert is_about_past("Il mio ex capo?", "it-IT")
