"""Secrets: found by kind and line, masked wherever a text is shown, and never seen in prose. All values are made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper.secrets import masked, secrets

KEYS = {
    "sk-FAKE012345678901": "an API key (sk-…)",
    "sk-proj-FAKEabcd1234EFGH5678": "an API key (sk-…)",
    "ghp_FAKE0123456789abcdefghij0123456789": "a GitHub token",
    "AKIAFAKE0123456789AB": "an AWS access key",
    "-----BEGIN RSA PRIVATE KEY-----\nFAKE\n-----END RSA PRIVATE KEY-----": "a private key",
    "Bearer FAKEabcdefghij0123456789abcdefgh": "a bearer token",
    "eyJGQUtFFAKE.eyJGQUtFFAKE.c2lnbmF0dXJl": "a JSON web token",
    "glpat-FAKE0123456789abcdef": "a GitLab token",
    "sk_live_FAKE0123456789abcd": "a Stripe key",
    "hf_FAKE0123456789abcdefghij0123456789": "a Hugging Face token",
    "4111 1111 1111 1111": "a payment card number",
    "4111111111111111": "a payment card number",
    "378282246310005": "a payment card number",
    "6222-0212-3456-7894": "a payment card number",
    "11010519491231002X": "an identity number",
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<": "the lines of a passport",
}
LABELLED = {
    "SSN: 078-05-1120": ("078-05-1120", "a social security number"),
    "passport no. E12345678": ("E12345678", "a passport number"),
    "Passport number is C01X00T47": ("C01X00T47", "a passport number"),
    "护照号：E12345678": ("E12345678", "a passport number"),
    "Server=db;User Id=sa;Password=letmein;": ("letmein", "a password in a connection string"),
    "AccountKey=FAKE0123456789abcdefFAKE0123456789": ("FAKE0123456789abcdefFAKE0123456789", "a key or token"),
}


@pytest.mark.parametrize(("value", "kind"), KEYS.items())
def test_every_kind_is_found_and_masked(value: str, kind: str) -> None:
    """A key in the second line is named with its kind and line, and nothing of its value is left."""
    text = f"remember this:\nit is {value} today"
    (found,) = secrets(text)
    assert (found.kind, found.line, text[found.start : found.end]) == (kind, 2, value)
    assert masked(text) == f"remember this:\nit is [{kind}] today"


@pytest.mark.parametrize(("text", "value", "kind"), [(text, *found) for text, found in LABELLED.items()])
def test_what_counts_only_behind_its_label(text: str, value: str, kind: str) -> None:
    """The label stays and the value goes; without the label it is a number like any other."""
    (found,) = secrets(text)
    assert (text[found.start : found.end], found.kind) == (value, kind)
    assert secrets(f"order {value}") == []


@pytest.mark.parametrize(
    "text",
    [
        "order 4111111111111112", "4111111111111111111111", "0.4111111111111111", "id-4111111111111111", "v4111111111111111",
        "1234567812345670", "1700000000000", "2026-11-30 12:55:00.123456", "110105194912310021", "990105194912310021",
        "110105194913310028", "078-05-1120", "666-12-3456", "SSN: 000-12-3456", "passport expires 20280101",
        "my passport is 5 years old", "13812345678", "+49 151 23456789", "ISBN 978-3-16-148410-0", "10.0.0.1:54321",
        "550e8400-e29b-41d4-a716-446655440000", "deadbeef4111111111111111deadbeef", "护照在抽屉里",
    ],
)  # fmt: skip
def test_numbers_that_are_no_papers(text: str) -> None:
    """Orders that fail the check digit, stamps, phones, hashes, ISBNs, and what has no label."""
    assert secrets(text) == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            "the token bucket algorithm",
            "sk-learn and sk-learn-based-pipelines",
            "我的密码本很厚",
            "the token we discussed",
        ),
        *("8a1c2f3e4d5b6a7988776655443322110a1b2c3d", "550e8400-e29b-41d4-a716-446655440000", "手机号 13812345678"),
        *("password=ab", "password: see the vault", "Bearer Bob", "154.219.96.202", "https://api.example.com/v1/users"),
        *(
            "/usr/local/bin/x",
            "a" * 40,
            "ssh://git@host:22/x",
            "http://localhost:8080/a@b",
            "token: $GITHUB_TOKEN_2",
            "",
        ),
    ],
)
def test_prose_is_left_alone(text: str) -> None:
    """Hashes, ids, addresses, paths, phone numbers and words about secrets are none."""
    assert (secrets(text), masked(text)) == ([], text)


def test_a_label_stays_and_what_follows_it() -> None:
    """Of a labelled password only the value is masked."""
    assert masked("密码是FAKEpw9") == "密码是[a password]"
    assert masked("Password=FAKEpw1;") == "Password=[a password];"


def test_of_an_address_its_host_stays() -> None:
    """Of an address only the password goes; one with a sign of its own in it goes as a whole."""
    assert masked("postgres://u:p@h/db") == "postgres://u:[a password in a URL]@h/db"
    assert masked("see redis://:p@ss@h:6379, now") == "see redis://:[a password in a URL]@h:6379, now"


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("The password for the wiki: FAKE2-Wiki!2024", "FAKE2-Wiki!2024", "a password"),
        ("password for the wiki is now FAKE2-Wiki!2024, ask Ann", "FAKE2-Wiki!2024", "a password"),
        ("Passwort vom Router: FAKE2024!", "FAKE2024!", "a password"),
        ("Das Kennwort: FAKE2024", "FAKE2024", "a password"),
        ("密码（wiki 用）：FAKE2-Wiki!2024", "FAKE2-Wiki!2024", "a password"),
        *((f"{said}4711", "4711", "a PIN") for said in ("PIN ", "The PIN: ", "PIN for the garage is ", "PIN码是")),
    ],
)
def test_a_few_words_may_stand_between_label_and_value(text: str, value: str, kind: str) -> None:
    """A word of letters, digits and signs behind the word for it is a password; four digits behind PIN are one."""
    assert [(text[one.start : one.end], one.kind) for one in secrets(text)] == [(value, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "the password manager: 1Password", "password policy of the team: SHA256 only", "the password is base64-encoded",
        "password reset on https://x.example/a2?b=c!d3", "password for server2! It works", "password docs: page2#section",
        "check the password: if pass1!=pass22 fail", "the password of bob2@example.com is in the vault",
        "no password. Build tag v2!beta3", "PIN 560001", "the PIN was changed in 2024", "pin 4711", "MAPPIN 4711",
        "PIN code 560001", "GPIO PIN 13", "PIN 2024-11-30", "DE89 3704 0044 0532 0130 00",
    ],
)  # fmt: skip
def test_words_about_passwords_are_none(text: str) -> None:
    """Products, hashes, addresses, comparisons, postal codes and years; an IBAN stands on every invoice."""
    assert secrets(text) == []


def test_three_secrets_are_three() -> None:
    """Each is found once, in order, though kinds overlap."""
    text = "\n".join(["ghp_FAKE0123456789abcdefghij0123456789", "token: AKIAFAKE0123456789AB", "sk-FAKE012345678901"])
    assert [found.line for found in secrets(text)] == [1, 2, 3]


@given(st.lists(st.one_of(st.sampled_from(list(KEYS)), st.text(max_size=20)), max_size=6))
def test_masking_twice_is_masking_once(parts: list[str]) -> None:
    """A masked text holds no secret."""
    once = masked(" ".join(parts))
    assert masked(once) == once


HARMLESS = (
    "docker://alpine:3.19@sha256:c5b1abcdef",
    "http://localhost:8080?to=a@b.com",
    "postgres://$DB_USER:$DB_PASS@db/x",
    "postgres://<user>:<password>@host/db",
    "令牌为OAuth2.0标准的访问令牌",
    "密码为至少8位的字母A和数字",
    "口令：Kubernetes1.29的配置",
    "use Bearer docs/api/auth-v2.md",
    "Bearer authentication/RFC6750",
    "token: 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    "token: see-notes-2024-q3.md",
    "api_key: settings.OPENAI_KEY_V2",
    "token = get_token_v2(request)",
    "password: minimum-12-characters",
    "https://x.com/i/status/4111111111111111",
    "sk-internationalization-helper",
    "sk-learn-hyperparameter2-tuning",
    "the token bucket algorithm",
    "password policy: rotate yearly",
    "8a1c2f3e4d5b6a7988776655443322110a1b2c3d",
    "token: $VAR",
    "我的密码本很厚",
    "the token we discussed",
    "password=ab",
    "Bearer Bob",
)
IN_MANY_FORMS = (
    '{"password": "hunter2xyz"}',
    "'password' => 'hunter2xyz'",
    "**Password:** hunter2xyz",
    "| password | hunter2xyz |",
    "my password is hunter2xyz",
    "PGPASSWORD=hunter2xyz",
    "curl -u admin:hunter2xyz https://x",
    "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
    "xapp-1-A0123456-0123456789-abcdef0123456789abcdef",
    "password for the wiki: hunter2-Wiki!2024",
    "密码是FAKEpw9",
    "Password=FAKEpw1;",
    "sk-FAKE0123456789abcdefgh",
    "postgres://u:hunter2xyz@h/db",
    "AKIAFAKE0123456789AB",
)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    """Image digests, ports, placeholders, Chinese prose about tokens, paths, names in programs, addresses, passwords
    that are none."""
    assert masked(text) == text


@pytest.mark.parametrize("text", IN_MANY_FORMS)
def test_passwords_are_found_however_they_are_written(text: str) -> None:
    """In JSON, in a table, in bold, said in a sentence, as a variable, behind a user name."""
    assert secrets(text)
    assert masked(masked(text)) == masked(text)
