"""Which endpoint the settings name, and what is wrong with it. Pure.

Messages name the host and never more of an address, since some people put a key into one.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from ...errors import MemoryShaperError
from ...settings import Settings


class EmbeddingError(MemoryShaperError):
    """There is no vector to be had, said in half a sentence without any of the user's texts or keys.

    `refused` says that the endpoint answered, but not to this very text.
    """

    def __init__(self, text: str, refused: bool = False) -> None:
        super().__init__(text)
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where texts are sent: `url` in full, `host` as it may be shown, `local` for this very machine, `key` to be sent
    along or ""; at most `batch` texts a request, `seconds` in all for one search."""

    url: str
    host: str
    model: str
    local: bool
    key: str
    batch: int
    seconds: float

    def __repr__(self) -> str:
        return f"Endpoint({self.host}, {self.model})"


def is_configured(settings: Settings) -> bool:
    """Tell whether the user wants vectors at all."""
    return bool(str(settings["embedding_url"]).strip())


def endpoint_of(settings: Settings, environ: Mapping[str, str]) -> Endpoint:
    """The endpoint of the settings. Raises EmbeddingError, naming the setting, where nothing can be sent to it."""
    parts = _address(str(settings["embedding_url"]).strip())
    model = str(settings["embedding_model"]).strip()
    if not model:
        raise EmbeddingError("embedding_model is not set: name the model that the endpoint shall use")
    local = is_loopback(parts.hostname or "")
    if parts.scheme == "http" and not local and settings["embedding_http"] != "allow":
        raise EmbeddingError(
            f"embedding_url: http to {parts.hostname} could be read on the way; use https, or set embedding_http: allow"
        )
    path = parts.path.rstrip("/")
    path = path if path.endswith("/embeddings") else path + "/embeddings"
    return Endpoint(
        url=parts._replace(path=path, fragment="").geturl(),
        host=parts.netloc,
        model=model,
        local=local,
        key=_key(str(settings["embedding_key_env"]).strip(), environ),
        batch=int(settings.number("embedding_batch")),
        seconds=settings.number("embedding_seconds"),
    )


def is_loopback(host: str) -> bool:
    """Tell whether a host is this very machine.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "localhost.example.org", "10.0.0.1")]
    [True, True, True, False, False]
    """
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _address(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        named = False
    if not named or parts.scheme not in ("http", "https") or not re.fullmatch(r"[!-~]+", url):
        raise EmbeddingError("embedding_url is no address such as https://host/v1")
    if "@" in parts.netloc:
        raise EmbeddingError("embedding_url holds a user or a key: put the key into a variable, see embedding_key_env")
    return parts


def _key(name: str, environ: Mapping[str, str]) -> str:
    """The key that a variable holds. The name is not repeated: it may be a key that was put in its place."""
    if not name:
        return ""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", name):
        raise EmbeddingError("embedding_key_env is the name of an environment variable, never the key itself")
    key = environ.get(name, "").strip()
    if not key:
        raise EmbeddingError("the environment variable that embedding_key_env names is not set")
    if not re.fullmatch(r"[!-~]+", key):
        raise EmbeddingError("the environment variable that embedding_key_env names holds no usable key")
    return key
