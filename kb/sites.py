"""Which full addresses are pages of this very site. Pure.

What the site is called comes from its settings, never from a request: a visitor chooses the Host
header, and a page is shown to others than its writer. An address is read as a browser reads it, and
whatever is written in an odd way stays what it is: an address of somebody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_AUTHORITY = re.compile(
    r"(?:(?P<scheme>https?):)?//+(?P<host>\[[^\]/?#@]*\]|[^\[\]/?#@:]+)(?::(?P<port>[0-9]*))?(?=[/?#]|$)",
    re.IGNORECASE,
)
_PAGE = re.compile(r"/(?P<tenant>[^/]+)/p/.")
_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


@dataclass(frozen=True, slots=True)
class Site:
    """One organisation's pages on this installation.

    ``hosts`` are written as Django's ``ALLOWED_HOSTS``: a name, or a name with a dot before it for
    what is below it, too. ``*`` names nobody. ``origins`` (``https://name:port``) give a host of those
    a port of its own; on the machine itself every port is.
    """

    tenant_slug: str
    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()

    def local(self, href: str) -> str:
        """A page's full address as a path; every other address as it is.

        ``href`` has been through ``links.safe_href``: no blank, control or backslash is in it.
        """
        match = _AUTHORITY.match(href)
        if match is None or not self._is_own(match):
            return href
        path = href[match.end() :]
        page = _PAGE.match(unquote(path))
        return path if page and page["tenant"] == self.tenant_slug else href

    def _is_own(self, match: re.Match[str]) -> bool:
        host = _host(match["host"])
        if host is None or not _is_listed(host, self.hosts):
            return False
        port = match["port"]
        if not port or host in _LOOPBACK:
            return True
        scheme = (match["scheme"] or "").lower()
        usual = {"http": {80}, "https": {443}}.get(scheme, {80, 443})
        return int(port) in usual | self._ports(host)

    def _ports(self, host: str) -> set[int]:
        parts = [urlsplit(origin) for origin in self.origins]
        return {
            part.port for part in parts if part.port and _host(part.netloc.split(":")[0]) == host
        }


def _host(written: str) -> str | None:
    """A host's name as the network knows it; None where it is none."""
    name = unquote(written).removesuffix(".")
    try:
        name = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    name = name.lower()
    return name if _NAME.fullmatch(name) else None


def _is_listed(host: str, hosts: Iterable[str]) -> bool:
    for listed in hosts:
        is_family = listed.startswith(".")
        name = _host(listed.removeprefix("."))
        if name is not None and (host == name or (is_family and host.endswith(f".{name}"))):
            return True
    return False
