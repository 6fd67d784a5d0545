"""What years, times, numbers, names and back references look like in many languages. Pure data."""

from __future__ import annotations

import regex

# ruff: noqa: E501 - word lists

YEAR = regex.compile(
    r"(?<!\p{Nd})(?:1\p{Nd}{3}|20\p{Nd}{2}|[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]{4})(?!\p{Nd})"
)
TIME = regex.compile(
    r"\p{Nd}{1,2}[:.h]\p{Nd}{2}|\p{Nd}{1,2}\s?(?:am|pm|uhr|giờ|時|点|시)\b"
    r"|[\p{Nd}一二三四五六七八九十]+\s?(?:年|月|日|세기|世紀|世纪)|(?:星期|礼拜|周)[一二三四五六日天]|曜日|요일|\bthứ (?:hai|ba|tư|năm|sáu|bảy)"
    r"|(?i:\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bcentur|\bdays?\b|\bweeks?\b|\bmonths?\b|\byears?\b|\bnoon\b"
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|\b(?:tage?n?|wochen?|monate?n?|jahre?n?)\b"
    r"|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|jours?|semaines?|mois|ans?)\b"
    r"|\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|días?|semanas?|mes(?:es)?|años?)\b)"
)
NUMBER = regex.compile(r"\p{Nd}+(?:[.,:/]\p{Nd}+)*")
NUMBER_WORD = regex.compile(
    r"(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
    r"|hundred|thousand|million|billion|dozen|half|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert"
    r"|tausend|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix"
    r"|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|два|три|четыре|пять|шесть|семь|δύο|τρία|τρεις"
    r"|iki|üç|dört|beş|altı|hai|ba|bốn|năm|sáu)\b|[一二三四五六七八九十百千万萬两兩]"
)
NAME = regex.compile(
    r"(?<=[\p{Ll}\p{Nd},;:)\"”»]\s|\()\p{Lu}[\p{L}\-’']+|(?<=\p{Lu}[\p{L}\-]+\s)\p{Lu}[\p{L}\-’']+"
)
CASED = regex.compile(r"[\p{Lu}\p{Ll}]")
ANAPHORA = regex.compile(
    r"(?i)(?:it|its|they|their|them|he|she|his|her|this|that|these|those|such|there|above|below|otherwise|both|er|sie|es"
    r"|ihr|ihre|dies|diese|dieser|il|elle|ils|elles|ce|cette|este|esta|ellos|él|ella|esto|lui|lei|essi|questo|ele|ela"
    r"|isto|он|она|оно|они|это|этот|o|bu|bunlar|on|ona|ono|to|ten|han|hun|den|det|de|dia|mereka|ini|αυτός|αυτή|αυτό)\b"
    r"|[他她它这这其此该]|彼|これ|それ|この|その|هو|هي|هذا|هذه|او|آن|این|הוא|היא|זה|यह|वह|इस|उस|उन|nó |họ |điều này"
)
CODE = regex.compile(r"[{}<>=;$]|\b\w+\(|--\w|/\w+/")
