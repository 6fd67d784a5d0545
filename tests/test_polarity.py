"""A claim and its evidence affirm or deny alike."""

from __future__ import annotations

import pytest

from memory.verification.polarity import Bound, agree, polarity

DENIED = "Badges must not be lent to visitors."


@pytest.mark.parametrize(
    ("claim", "evidence", "does_agree"),
    [
        ("Badges must be lent to visitors.", DENIED, False),
        (DENIED, DENIED, True),
        ("Visitors may not borrow badges.", DENIED, True),
        ("You can't lend badges.", DENIED, True),
        ("You can’t lend badges.", DENIED, True),
        ("Smoking is not allowed.", "Smoking is prohibited.", True),
        ("Smoking is allowed.", "Smoking is prohibited.", False),
        ("Smoking is allowed.", "Smoking is not prohibited.", True),
        ("No one may enter.", "Everyone may enter.", False),
        ("It is not only cheap.", "It is cheap.", True),
        ("Rauchen ist erlaubt.", "Rauchen ist nicht erlaubt.", False),
        ("Rauchen ist erlaubt.", "Rauchen ist verboten.", False),
        ("Il faut le dire.", "Il ne faut pas le dire.", False),
        ("Hay que decirlo.", "No hay que decirlo nunca.", False),
        ("Никогда не давайте.", "Не давайте.", True),
        ("Давайте.", "Не давайте.", False),
        ("Được mang thẻ về.", "Không được mang thẻ về.", False),
        ("可以吸烟", "禁止吸烟", False),
        ("不得吸烟", "禁止吸烟", True),
        ("可以借出", "不可以借出", False),
        ("يجوز إعارة البطاقات", "لا يجوز إعارة البطاقات", False),
        ("التدخين ممنوع", "لا يجوز التدخين", True),
        ("貸してください", "貸してはいけません", False),
        ("빌려도 됩니다", "빌리지 않습니다", False),
    ],
)
def test_fc_22_denial_must_agree(claim: str, evidence: str, does_agree: bool) -> None:
    assert agree(polarity(claim), polarity(evidence)) is does_agree


@pytest.mark.parametrize(
    ("claim", "evidence", "does_agree"),
    [
        ("The maximum is 12 hours.", "It must not exceed 12 hours.", True),
        ("Up to 12 hours.", "No more than 12 hours.", True),
        ("It must exceed 12 hours.", "It must not exceed 12 hours.", False),
        ("At least 12 hours.", "At most 12 hours.", False),
        ("At least 12 hours.", "Not less than 12 hours.", True),
        ("At most 12 hours.", "In no case may it exceed 12 hours.", True),
        ("It may exceed 12 hours.", "In no case may it exceed 12 hours.", False),
        ("It is 12 hours.", "At most 12 hours.", True),
        ("Bis zu 12 Stunden.", "Die Arbeit darf 12 Stunden nicht überschreiten.", True),
        ("Mindestens 12 Stunden.", "Höchstens 12 Stunden.", False),
        ("12 heures au maximum.", "Il ne faut pas dépasser 12 heures.", True),
        ("Được vượt quá 12 giờ.", "Không được vượt quá 12 giờ.", False),
        ("最多十二小时", "不得超过十二小时", True),
        ("可以超过十二小时", "不得超过十二小时", False),
    ],
)
def test_fc_22_bounds_must_agree(claim: str, evidence: str, does_agree: bool) -> None:
    assert agree(polarity(claim), polarity(evidence)) is does_agree


@pytest.mark.parametrize(
    ("claim", "evidence", "does_agree"),
    [
        ("Possible with approval.", "Possible without approval.", False),
        ("Possible without approval.", "Possible without approval.", True),
        ("Remote work is possible.", "Remote work is possible without approval.", True),
        ("Possible without approval.", "Possible with approval.", False),
        ("Open daily except Monday.", "Open daily.", False),
        ("Open daily.", "Open daily except Monday.", True),
    ],
)
def test_conditions_must_agree(claim: str, evidence: str, does_agree: bool) -> None:
    assert agree(polarity(claim), polarity(evidence)) is does_agree


def test_bound_is_no_denial() -> None:
    sense = polarity("Overtime must not exceed 12 hours per week.")
    assert not sense.is_denied
    assert sense.bounds == {Bound.UPPER}


@pytest.mark.parametrize(
    ("text", "language", "is_denied"),
    [
        ("Kartlar ziyaretçilere verilmez.", "tr", True),
        ("Kartlar zorunlu değildir.", "tr", True),
        ("Kartlar verilir.", "tr", False),
        ("Insignele nu se împrumută.", "ro", True),
        ("Nu gäller det.", "sv", False),
        ("A kártyát nem szabad kölcsönadni.", "hu", True),
        ("Kortteja ei saa lainata.", "fi", True),
        ("Karty se nesmí půjčovat.", "cs", True),
        ("Karty nebo klíče se půjčují.", "cs", False),
    ],
)
def test_languages_deny_in_their_own_ways(text: str, language: str, is_denied: bool) -> None:
    assert polarity(text, language).is_denied is is_denied


def test_nearly_same_words_must_deny_equally_often() -> None:
    evidence = polarity("What is not listed is allowed.")
    claim = polarity("What is not listed is not allowed.")
    assert agree(claim, evidence)
    assert not agree(claim, evidence, is_close=True)
