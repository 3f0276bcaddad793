"""Which endpoint the settings name, and what is refused: the same for embeddings and for the chat model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from memory_shaper.outgoing.endpoint import CHAT, EMBEDDINGS, Endpoint, NoAnswer, Service, endpoint_of
from memory_shaper.settings import Settings

KEY = "sk-0123456789abcdef0123"
both = pytest.mark.parametrize("service", [EMBEDDINGS, CHAT], ids=["embeddings", "chat"])


def of(
    service: Service,
    environ: dict[str, str] | None = None,
    url: str = "https://api.example.org/v1",
    key_env: str = "",
    http: str = "refuse",
    model: str = "m",
) -> Endpoint:
    settings = Settings()
    given = {service.url: url, service.model: model, service.key_env: key_env, "endpoint_http": http}
    return endpoint_of(replace(settings, values={**settings.values, **given}), service, environ or {})


def refusal(service: Service, environ: dict[str, str] | None = None, **given: str) -> str:
    with pytest.raises(NoAnswer) as error:
        of(service, environ, **given)
    return str(error.value)


@both
@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("https://api.example.org/v1", "https://api.example.org/v1{}"),
        ("https://api.example.org/v1/", "https://api.example.org/v1{}"),
        ("https://api.example.org/v1{}", "https://api.example.org/v1{}"),
        ("https://api.example.org/v1{}/#top", "https://api.example.org/v1{}"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1{}"),
        ("http://[::1]:8080", "http://[::1]:8080{}"),
        ("https://host/x?api-version=1", "https://host/x{}?api-version=1"),
    ],
)
def test_addresses(service: Service, given: str, sent: str) -> None:
    """The address may be given with or without its last part and slash."""
    assert of(service, url=given.format(service.path)).url == sent.format(service.path)


@both
@pytest.mark.parametrize("url", ["", "api.example.org", "ftp://a/b", "file:///etc/passwd", "https://", "https://a b/",
                                 "https://[::1", "https://a:99999999/", "https://例.org/", "http:///x"])  # fmt: skip
def test_what_is_no_address(service: Service, url: str) -> None:
    """Nothing but http and https addresses with a host is ever opened."""
    assert f"{service.url} is no address" in refusal(service, url=url)


@both
def test_http_is_for_this_machine(service: Service) -> None:
    """Plain http to another host needs a setting of its own."""
    assert "https" in refusal(service, url="http://nas.example.org/v1")
    assert of(service, url="http://nas.example.org/v1", http="allow").host == "nas.example.org"


@both
def test_the_model_has_a_name(service: Service) -> None:
    """Without the name of a model nothing is asked, and the setting is named."""
    assert f"{service.model} is not set" in refusal(service, model=" ")


@both
def test_the_key_is_only_in_the_environment(service: Service) -> None:
    """The key comes from the named variable; without a name none is sent, whatever variables there are."""
    assert of(service, {"MY_KEY": KEY + "\n"}, key_env="MY_KEY").key == KEY
    assert of(service, {"OPENAI_API_KEY": KEY}).key == ""


@both
@pytest.mark.parametrize("name", [KEY, f"Bearer {KEY}", "NO_SUCH_VARIABLE", "AKIAABCDEFGHIJKLMNOP"])
def test_a_key_in_the_wrong_place_is_not_repeated(service: Service, name: str) -> None:
    """Who puts the key itself into the settings is told so without seeing it again."""
    told = refusal(service, key_env=name)
    assert "environment variable" in told and service.key_env in told
    assert name not in told


@both
@pytest.mark.parametrize("key", ["a\nb", "schlüssel", "a b"])
def test_a_key_that_no_header_can_hold(service: Service, key: str) -> None:
    """A key with blanks or letters outside of ASCII is refused without showing it."""
    told = refusal(service, {"K": key}, key_env="K")
    assert "no usable key" in told
    assert key not in told


@both
def test_an_address_with_a_password_is_refused(service: Service) -> None:
    """A password in the address is neither used nor shown."""
    assert "hunter22" not in refusal(service, url="https://bob:hunter22@host/v1")


@both
def test_an_endpoint_does_not_show_its_key(service: Service) -> None:
    """The key is in no representation of an endpoint, so that no traceback holds it."""
    assert KEY not in repr(of(service, {"K": KEY}, key_env="K"))
