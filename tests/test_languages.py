from __future__ import annotations

import pytest
import Stemmer

from memory.language.languages import STEMMERS, STOP_WORDS, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How many days of leave may staff carry over?", "en"),
        ("Wie viele Urlaubstage darf man übertragen?", "de"),
        ("¿Cuántos días de permiso se pueden guardar?", "es"),
        ("Combien de jours de congé peut-on reporter ?", "fr"),
        ("Quanti giorni di ferie si possono riportare?", "it"),
        ("Quantos dias de férias podem ser transferidos? Não há limite.", "pt"),
        ("Hoeveel vakantiedagen mag men meenemen naar het volgende jaar?", "nl"),
        ("Ile dni urlopu można przenieść na następny rok?", "pl"),
        ("Câte zile de concediu pot fi reportate și când?", "ro"),
        ("Kaç gün izin devredilebilir ve bu nasıl yapılır?", "tr"),
        ("Nhân viên được chuyển bao nhiêu ngày phép?", "vi"),
        ("Berapa hari cuti yang dapat dibawa ke tahun berikutnya?", "id"),
        ("Сколько дней отпуска можно перенести?", "ru"),
        ("Скільки днів відпустки можна перенести?", "uk"),
        ("Πόσες ημέρες άδειας μεταφέρονται;", "el"),
        ("كم عدد أيام الإجازة التي يمكن ترحيلها؟", "ar"),
        ("چند روز مرخصی را می‌توان ذخیره کرد؟", "fa"),
        ("כמה ימי חופשה אפשר להעביר?", "he"),
        ("कितने दिन की छुट्टी आगे ले जाई जा सकती है?", "hi"),
        ("可以结转多少天年假？", "zh"),
        ("有給休暇は何日繰り越せますか。", "ja"),
        ("휴가는 며칠까지 이월할 수 있습니까?", "ko"),
        ("พนักงานสะสมวันลาได้กี่วัน", "th"),
    ],
)
def test_language_is_told_by_script_and_common_words(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "12:30", "😀", "POL-0054", "xyzzy plugh"])
def test_text_that_speaks_for_no_language_has_none(text: str) -> None:
    assert detect_language(text) == ""


def test_chinese_with_a_latin_name_is_chinese() -> None:
    assert detect_language("请在 Django Admin 中打开设置页面并提交报销单") == "zh"


def test_every_stemmer_exists() -> None:
    assert set(STEMMERS.values()) <= set(Stemmer.algorithms())


def test_unknown_language_has_english_stop_words() -> None:
    assert STOP_WORDS[""] == STOP_WORDS["en"]
