"""Which endpoint the settings name, and what is wrong with it. Pure.

Messages name the host and never more of an address, since some people put a key into one.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from ..errors import MemoryShaperError
from ..settings import Settings


class NoAnswer(MemoryShaperError):
    """There is no answer to be had, said in half a sentence without any of the user's texts or keys.

    `refused` says that the endpoint answered, but not to this very text.
    """

    def __init__(self, text: str, refused: bool = False) -> None:
        super().__init__(text)
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Service:
    """What an endpoint is wanted for: the settings that name its address (`url`), its `model` and the variable with its
    key (`key_env`), the `path` at the end of the address, and how many bytes an answer has at the `largest`."""

    url: str
    model: str
    key_env: str
    path: str
    largest: int


EMBEDDINGS = Service("embedding_url", "embedding_model", "embedding_key_env", "/embeddings", 64_000_000)
CHAT = Service("model_url", "model_name", "model_key_env", "/chat/completions", 1_000_000)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where texts are sent: `url` in full, `host` as it may be shown, `local` for this very machine, `key` to be sent
    along or ""."""

    service: Service
    url: str
    host: str
    model: str
    local: bool
    key: str

    def __repr__(self) -> str:
        return f"Endpoint({self.host}, {self.model})"


def is_configured(settings: Settings, service: Service) -> bool:
    """Tell whether the user has set an endpoint for a service."""
    return bool(str(settings[service.url]).strip())


def endpoint_of(settings: Settings, service: Service, environ: Mapping[str, str]) -> Endpoint:
    """The endpoint of the settings. Raises NoAnswer, naming the setting, where nothing can be sent to it."""
    parts = _address(str(settings[service.url]).strip(), service)
    model = str(settings[service.model]).strip()
    if not model:
        raise NoAnswer(f"{service.model} is not set: name the model that the endpoint shall use")
    local = is_loopback(parts.hostname or "")
    if parts.scheme == "http" and not local and settings["endpoint_http"] != "allow":
        raise NoAnswer(
            f"{service.url}: http to {parts.hostname} could be read on the way; use https, or set endpoint_http: allow"
        )
    path = parts.path.rstrip("/")
    path = path if path.endswith(service.path) else path + service.path
    key = _key(str(settings[service.key_env]).strip(), service, environ)
    return Endpoint(service, parts._replace(path=path, fragment="").geturl(), parts.netloc, model, local, key)


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


def _address(url: str, service: Service) -> SplitResult:
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        named = False
    if not named or parts.scheme not in ("http", "https") or not re.fullmatch(r"[!-~]+", url):
        raise NoAnswer(f"{service.url} is no address such as https://host/v1")
    if "@" in parts.netloc:
        raise NoAnswer(f"{service.url} holds a user or a key: put the key into a variable, see {service.key_env}")
    return parts


def _key(name: str, service: Service, environ: Mapping[str, str]) -> str:
    """The key that a variable holds. The name is not repeated: it may be a key that was put in its place."""
    if not name:
        return ""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", name):
        raise NoAnswer(f"{service.key_env} is the name of an environment variable, never the key itself")
    key = environ.get(name, "").strip()
    if not key:
        raise NoAnswer(f"the environment variable that {service.key_env} names is not set")
    if not re.fullmatch(r"[!-~]+", key):
        raise NoAnswer(f"the environment variable that {service.key_env} names holds no usable key")
    return key
