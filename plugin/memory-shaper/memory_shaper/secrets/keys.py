"""Keys, tokens, passwords and connection strings in a text. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

# Chinese is written without blanks: a value in the middle of it is prose.
_HAN = r"\u3000-\u9fff\uff00-\uffef"
_VALUE = rf"[^\s,;'\"<>(){{}}\[\]|`{_HAN}]"
_END = r"(?![\u3400-\u9fff])"
_LONGEST = 400  # characters behind a sign that a match with a reach takes
_QUOTES = r"[ \t]*['\"*_`]{0,3}[ \t]*"
_IS = rf"{_QUOTES}(?:=>|[:：=|]|是|为){_QUOTES}['\"]?"


@dataclass(frozen=True, slots=True)
class _Row:
    """A kind of secret: its pattern, and in lower case what one of its matches begins with. With `reach` a sign may
    stand so many characters behind the beginning, below 0 anywhere in the text."""

    kind: str
    pattern: str
    signs: tuple[str, ...]
    reach: int = 0


_LABELS = ("api", "access", "secret", "account", "shared", "token", "密钥", "令牌")
_PASSWORDS = ("password", "passwort", "kennwort", "passwd", "passphrase", "pwd", "密码", "口令")
_ROWS: tuple[_Row, ...] = (
    _Row(
        "a private key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]{0,8000}-----END [A-Z0-9 ]{0,40}-----)?",
        ("-----begin",),
    ),
    _Row("an API key (sk-…)", r"(?<![\w-])sk-[A-Za-z0-9_-]{16,}", ("sk-",)),
    _Row(
        "a GitHub token",
        r"(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    ),
    _Row("an AWS access key", r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])", ("akia", "asia")),
    _Row("a GitLab token", r"(?<![\w-])glpat-[A-Za-z0-9_-]{20,}", ("glpat-",)),
    _Row("a Stripe key", r"(?<![A-Za-z0-9_])[rs]k_(?:live|test)_[A-Za-z0-9]{16,}", ("rk_", "sk_")),
    _Row(
        "a package registry token",
        r"(?<![A-Za-z0-9_])(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{40,})",
        ("npm_", "pypi-"),
    ),
    _Row("a Hugging Face token", r"(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,}", ("hf_",)),
    _Row("a Slack token", r"(?<![A-Za-z0-9])(?:xox[abprs]|xapp)-[A-Za-z0-9-]{10,}", ("xox", "xapp-")),
    _Row("a SendGrid key", r"(?<![A-Za-z0-9_.])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", ("sg.",)),
    _Row("a Google key", r"(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}", ("aiza",)),
    _Row(
        "a JSON web token",
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}",
        ("eyj",),
    ),
    _Row("a bearer token", r"(?i:(?<![A-Za-z])bearer)[ \t]+[A-Za-z0-9._~+/=-]{16,}", ("bearer",)),
    _Row(
        "a password in a URL",
        r"(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,100}:(?P<url>[^\s/，。；、]{1,200})@(?!sha\d{3}:)(?=[^\s/@])",
        ("://",),
        reach=21,
    ),
    _Row(
        "a password in a connection string",
        r"(?i:(?<![A-Za-z])(?:server|host|data source|user id|uid|user|database)[ \t]*=[^;\n]{1,200};"
        r"(?:[^;\n]{0,200};){0,8}?[ \t]*(?:password|pwd)[ \t]*=[ \t]*)(?P<connection>[^\s;'\"\[]{3,})",
        ("password=", "password =", "pwd=", "pwd ="),
        reach=-1,
    ),
    _Row(
        "a password",
        rf"(?i:(?<![A-Za-z])(?:password|passwort|kennwort|passwd|passphrase|pwd)|密码|口令){_IS}"
        rf"(?P<password>{_VALUE}{{6,}}+){_END}",
        _PASSWORDS,
    ),
    _Row(
        "a password",
        r"(?i:(?<![A-Za-z])(?:password|passwort|kennwort|passphrase))[ \t]+(?:is|ist)[ \t]+['\"]?"
        rf"(?P<said>{_VALUE}{{8,}})",
        _PASSWORDS,
    ),
    _Row(
        "a password",
        r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY)=['\"]?"
        rf"(?P<variable>{_VALUE}{{6,}})",
        ("password=", "passwd=", "secret=", "token=", "apikey=", "api_key="),
        reach=42,
    ),
    _Row(
        "a password",
        rf"curl\b[^\n]{{0,200}}?[ \t](?:-u|--user)[ \t=]+['\"]?[^\s:'\"]{{1,64}}:(?P<basic>{_VALUE}{{6,}})",
        ("curl",),
    ),
    # A few words may stand between ("password for the wiki: …"): then letters, digits and a sign have to be mixed.
    _Row(
        "a password",
        r"(?i:(?<![A-Za-z])(?:password|passwort|kennwort|passwd|passphrase|pwd)|密码|口令)"
        r"(?:(?![.;!?][ \t])[^\n。；！？]){1,60}?(?<=[\s:：(（是为'\"“])(?![A-Za-z]{1,10}://)"
        rf"(?P<near>(?=[A-Za-z0-9!])(?={_VALUE}{{0,63}}[A-Za-z])(?={_VALUE}{{0,63}}\d)"
        rf"(?:(?={_VALUE}{{0,63}}[!$%^*][A-Za-z0-9])|(?<=[:：])|(?<=[:：][ \t]))(?={_VALUE}{{0,63}}[!$%^*])"
        rf"{_VALUE}{{8,64}})",
        _PASSWORDS,
    ),
    # Four digits only: six behind the word are also a postal code.
    _Row(
        "a PIN",
        r"(?<![A-Za-z0-9_-])PIN(?:[ -]?(?i:code|number|nummer)|[ \t]?码)?"
        r"(?:(?:[ \t]+[^\W\d_]{1,15}){0,4}?(?:[ \t]*[:：=]|[ \t]+(?:is|ist)(?=[ \t])|[ \t]*[是为]))?"
        r"[ \t]*(?P<pin>\d{4})(?![\d\w]|[-.,:/]\d)",
        ("pin",),
    ),
    _Row(
        "a key or token",
        r"(?i:(?:api|access|secret|account|shared[_-]?access)[_-]?key|(?<![A-Za-z])(?:token|secret)|密钥|令牌)"
        rf"{_IS}(?P<token>{_VALUE}{{12,}}+){_END}",
        _LABELS,
    ),
)
KINDS = tuple(dict.fromkeys(row.kind for row in _ROWS))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text first shows a sign: most commands never meet one."""
    return re.compile(pattern)


def found(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each is, and its kind; those of different kinds may overlap."""
    low = text.lower()
    for row in _ROWS:
        for match in _matches(row, text, low):
            group = match.lastgroup or 0
            if _CHECKS.get(row.kind, _any)(match[group]):
                yield (*match.span(group), row.kind)


def _matches(row: _Row, text: str, low: str) -> Iterator[re.Match[str]]:
    """The matches of a row, tried only where a sign stands: looking for words is much faster than for patterns."""
    signs = [sign for sign in row.signs if sign in low]
    if not signs:
        return
    pattern = _compiled(row.pattern)
    if row.reach < 0 or len(low) != len(text):  # a letter whose lower case is longer moves everything behind it
        yield from pattern.finditer(text)
        return
    end = -1
    for at in sorted(_places(signs, low)):
        if at < end:
            continue
        start = max(at - row.reach, end, 0)
        match = pattern.search(text, start, at + _LONGEST) if row.reach else pattern.match(text, at)
        if match is not None:
            yield match
            end = match.end()


def _places(signs: list[str], low: str) -> Iterator[int]:
    for sign in signs:
        at = low.find(sign)
        while at >= 0:
            yield at
            at = low.find(sign, at + 1)


def _any(_: str) -> bool:
    return True


def _is_key(value: str) -> bool:
    """`sk-` is also how some names begin (sk-learn-pipeline-helper): a key has a long part that is no word."""
    parts = [part for part in re.split(r"[-_]", value[3:]) if len(part) >= 8]
    return any(re.search(r"\d[A-Za-z]|(?:\d.*){3}", part) or re.search(r".{12}[a-z][A-Z]", part) for part in parts)


_NO_VALUE = re.compile(
    r"(?:[/~$%*<{]|https?:).*"  # paths, variables, placeholders, addresses
    r"|(?i:base|sha|md|utf|aes|rsa|argon|pbkdf)-?\d+\b.*"  # what it is made by
    r"|[\d.:/-]+|0x[0-9A-Fa-f]{40}"  # numbers, public addresses of a chain
    r"|.*\.(?:md|txt|py|[jt]sx?|json|ya?ml|toml|ini|env|sh|go|rs|java|html?|pdf|csv)"  # files
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[a-z]+(?:_[a-z]+)*_v?\d{1,2}",  # names in a program
    re.DOTALL,
)


def _is_random(value: str) -> bool:
    """Letters and digits mixed in one part; no path, variable, placeholder, address, and none of the words about
    secrets."""
    if _NO_VALUE.fullmatch(value):
        return False
    return any(re.search(r"[A-Za-z]", part) and re.search(r"\d", part) for part in re.split(r"[-_./:]", value))


def _is_url_password(value: str) -> bool:
    """No placeholder, and no port with a query behind it that happens to hold an address."""
    return not re.match(r"[$<{%]|\d{1,5}[?#]", value)


def _is_bearer(value: str) -> bool:
    return re.search(r"\d", value) is not None


def _is_bearer_token(value: str) -> bool:
    """A long part with digits in it: no path, and no word with a number behind it."""
    parts = re.split(r"[-_./+=~]", value)
    return any(len(part) >= 10 and re.search(r"\d", part) for part in parts) or len(re.findall(r"\d", value)) > 5


_CHECKS: dict[str, Callable[[str], bool]] = {
    "an API key (sk-…)": _is_key,
    "a password": _is_random,
    "a key or token": _is_random,
    "a bearer token": _is_bearer_token,
    "a password in a URL": _is_url_password,
    "a GitLab token": _is_bearer,
    "a Hugging Face token": _is_bearer,
    "a package registry token": _is_bearer,
}
