"""The one table of settings: code, `doctor` and docs/settings.md read it. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table of settings: `choices` are the words it may be, `span` says that it is a span of time."""

    name: str
    default: Scalar
    doc: str
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = float("inf")
    span: bool = False


@dataclass(frozen=True, slots=True)
class Patterns:
    """One row of the table of settings that hold patterns: a list of them, or with `pairs` a mapping to texts."""

    name: str
    doc: str
    pairs: bool = False


PATTERNS: dict[str, Patterns] = {
    row.name: row
    for row in (
        Patterns("exclude", "a text that one of these matches is never kept, wherever it comes from"),
        Patterns("always", "a message that one of these matches passes the gate of extraction; `exclude` wins"),
        Patterns("redact", "what these match is replaced by the text behind it before anything is written", pairs=True),
    )
}

TABLE: dict[str, Setting] = {
    row.name: row
    for row in (
        Setting("critical", "approve", "what a change of a `!!` line or file needs: the human's word, or is refused",
                ("approve", "block")),
        Setting("on_full", "archive", "an entry that does not fit: archive the coldest first, or refuse it",
                ("archive", "refuse")),
        Setting("heading", "full", "how much of the routing rule the heading of a new index carries",
                ("full", "short")),
        Setting("near_cap", 0.95, "share of the cap from which the watchdog archives", low=0.1, high=1),
        Setting("archive_to", 0.80, "share of the cap down to which the watchdog archives", low=0.05, high=1),
        Setting("grace_days", 14, "days in which a new or used topic is never archived", low=0, high=3650),
        Setting("half_life_days", 30, "days in which a use loses half its weight", low=0.01, high=36500),
        Setting("hints", "names", "what a message is given that touches lines: nothing, file names, or whole entries",
                ("off", "names", "full")),
        Setting("top_k", 5, "most entries that hints of kind full give", low=1, high=50),
        Setting("hint_budget", 4000, "most characters that hints of kind full take", low=200, high=9000),
        Setting("skip", "ok,okay,yes,no,thanks,thank you,continue,go on,好,好的,可以,可以的,行,嗯,谢谢,继续",
                "messages that are never looked up, parted by commas"),
        Setting("skip_min_length", 2, "messages shorter than this are never looked up", low=0, high=1000),
        Setting("agent", "", "this agent's name: notes of another agent are hidden; empty sees all"),
        Setting("project", "", "the project worked on: notes of another one are hidden; empty: the one that the "
                "session's folder lies in; all: none are hidden"),
        Setting("decay_half_life_days", 60, "days in which a note's age costs half of what it can cost",
                low=0.01, high=36500),
        Setting("decay_floor", 0.8, "what is left of a hit's score at any age; 1 switches age off", low=0, high=1),
        Setting("emotion_factor", 0.4, "what a note's emotion adds at intensity 1; 0 switches it off", low=0, high=5),
        Setting("feedback_boost", 1.3, "what three good words make of a hit's score; 1 switches it off",
                low=1, high=10),
        Setting("feedback_penalty", 0.5, "what three bad words make of it; 1 switches it off", low=0, high=1),
        Setting("hot_topic_boost", 1.2, "what three hot topics make of it; 1 switches it off", low=1, high=10),
        Setting("hot_topic_half_life_days", 30, "days without a mention in which a topic cools by half",
                low=0.01, high=36500),
        Setting("attention_boost", 1.5, "what all of the recent attention makes of it; 1 switches it off",
                low=1, high=10),
        Setting("attention_half_life_days", 7, "days without a mention in which attention falls by half",
                low=0.01, high=36500),
        Setting("related_names", 3, "names that stand beside a name of the question in two notes or more, and widen it "
                "where it finds less than was asked for; 0 switches them off", low=0, high=10),
        Setting("discovered_synonyms", "off", "whether likely synonyms that nobody confirmed widen a question",
                ("off", "on")),
        Setting("synonym_min_notes", 5, "notes in which a word has to stand before it is a likely synonym",
                low=3, high=10000),
        Setting("retain_profile", "forever", "how long an unused topic of type profile stays out of the archive",
                span=True),
        Setting("retain_project", "365d", "how long an unused topic of type project does", span=True),
        Setting("retain_history", "365d", "how long an unused topic of type history does", span=True),
        Setting("retain_fact", "forever", "how long an unused topic of type fact does", span=True),
        Setting("archive_unused_days", 0, "days without a use or a change after which a topic is archived; 0 is never",
                low=0, high=36500),
        Setting("expired_days", 30, "days after its end on which a topic that no longer holds is archived",
                low=0, high=36500),
        Setting("forget_days", 0, "days after which a topic that is unused, unliked, calm and unmentioned is archived; "
                "0 is never", low=0, high=36500),
        Setting("find_duplicates", True, "whether maintain proposes to merge what is there twice"),
        Setting("find_related", True, "whether maintain proposes one topic for several small ones of one subject"),
        Setting("search_seconds", 3, "how long a tool waits for the sidecar to be brought in step", low=0.1, high=25),
        Setting("embedding_url", "", "address of an endpoint for embeddings as OpenAI has them, such as "
                "`http://127.0.0.1:11434/v1`; empty: nothing leaves the machine"),
        Setting("embedding_model", "", "name of the endpoint's model"),
        Setting("embedding_key_env", "", "name of the environment variable that holds the key (never the key itself); "
                "empty sends none"),
        Setting("embedding_seconds", 2, "how long a search waits for the endpoint in all", low=0.1, high=30),
        Setting("embedding_batch", 10, "texts in one request", low=1, high=2048),
        Setting("embedding_fusion", "convex", "how likeness of meaning joins the score by words: a weighted sum, or "
                "reciprocal ranks", ("convex", "ranks")),
        Setting("embedding_weight", 0.2, "share of likeness in the weighted sum", low=0, high=1),
        Setting("embedding_margin", 0.2, "how far above the usual likeness a note that shares no word has to stand",
                low=0, high=1),
        Setting("extract", "off", "facts of a session at its end: not looked for, proposed, or kept at once",
                ("off", "propose", "apply")),
        Setting("extract_seconds", 20, "how long the model may take at the end of a session", low=1, high=300),
        Setting("model_url", "", "address of an endpoint for chat as OpenAI has it, such as "
                "`http://127.0.0.1:11434/v1`; empty: the host's own model is asked"),
        Setting("model_name", "", "name of that endpoint's model"),
        Setting("model_key_env", "", "name of the environment variable that holds the key (never the key itself); "
                "empty sends none"),
        Setting("endpoint_http", "refuse", "http, which can be read on the way, to another host than this machine, for "
                "`embedding_url` and `model_url`", ("refuse", "allow")),
        Setting("journal_mb", 20, "size in MB that the journal's texts may take", low=1, high=10000),
        Setting("journal_events", 10000, "events that the journal keeps", low=100, high=10_000_000),
    )
}  # fmt: skip
