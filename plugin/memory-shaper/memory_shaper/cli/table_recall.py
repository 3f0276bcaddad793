"""The verbs of recall: route, search, hits, timeline, feedback, index."""

from __future__ import annotations

from dataclasses import replace

from .request import Argument, Kind, Verb

_HOME = ("home", "the Hermes home")
_TROUBLE = (
    ("stale", "why the sidecar may be behind the files, empty where it is not"),
    ("degraded", "what the search had to do without, empty where nothing"),
    ("error", "why there was no search at all, empty where there was one"),
)
_HITS = (
    "hits",
    "best first: `name`, `kind` (topic, archive, folder, session), `score` (0 to 1), `section`, `snippet`, `date` "
    "(null: none), `mode` (phrase, terms, line, meaning, wider, alike), `evidence` (the words found), `via` (of wider "
    "ones the further words: `term`, the `word` of the question it stands for, `why`: synonym, likely synonym, "
    "related), `text_score` (with likeness of meaning in it where an endpoint is set), `factors` (by name; times "
    "`text_score` they are `total`), `total`",
)
_QUESTION = Argument("QUESTION", "what to look for; every sign means itself", optional=False, literal=True)
_SCOPES = ("notes", "archive", "sessions", "all")
_PROJECT = Argument(
    "--project", "hide notes of other projects; all hides none; else the one of this folder", metavar="NAME"
)
_WHERE = (
    Argument("--scope", "where to look; else in the notes", choices=_SCOPES),
    Argument("--since", "nothing dated before this day", metavar="YYYY-MM-DD"),
    Argument("--tags", "only notes with one of these tags", metavar="TAG,…"),
    Argument("--as-of", "what held on this day", metavar="YYYY-MM-DD"),
    _PROJECT,
)

ROUTE = Verb(
    "route",
    "show which lines of the index a question touches",
    "routing:route",
    'memory-shaper route "how do we roll back?" --explain\nmemory-shaper route --test routing.yaml',
    (
        _HOME,
        ("utterance", "the question, null with --test"),
        (
            "routes",
            "best first: `target`, `keywords`, `score`, `confidence` (0 to 1), `sure` (enough to act upon), "
            "`matches` (`keyword`, `words`, `how`, `worth`)",
        ),
        ("hits", "what the sidecar finds where no line surely matches, as in search"),
        ("tests", "with --test: how many questions"),
        ("right", "with --test: how many were routed as expected"),
        ("failures", "with --test: `question`, `expect`, `got`, `why`"),
        *_TROUBLE,
    ),
    (
        Argument("UTTERANCE", "a question or a message", literal=True),
        Argument("--explain", "show by which words each line matches", Kind.FLAG),
        Argument("--test", "run the questions of a YAML file instead", metavar="FILE"),
        Argument("--as-of", "leave out the lines of notes that did not hold on this day", metavar="YYYY-MM-DD"),
        _PROJECT,
    ),
    "No model is asked. Where no line surely matches, the sidecar is searched.\n"
    "A file of tests has a section `tests`: a list of `question` and `expect` (a file, several, or null for no line)\n"
    "or a mapping from question to file. Exit code 1 where one fails.",
    reads=True,
)
SEARCH = Verb(
    "search",
    "search notes, archive and past sessions",
    "recall:search",
    'memory-shaper search "slow database" --limit 3\nmemory-shaper search 部署 --scope all --explain\n'
    "memory-shaper search --test questions.yaml --against last.json --save last.json",
    (
        _HOME,
        ("query", "the question, null with --test"),
        _HITS,
        ("tests", "with --test: how many questions the file has"),
        (
            "asked",
            "with --test, the questions that were put: `question`, `expect`, `rank` (null: not in the first 15), "
            "`paraphrases` (`wording`, `rank`)",
        ),
        ("dropped", "with --test, the questions and paraphrases that no search could answer: `wording`, `why`"),
        (
            "levels",
            "with --test, for the first 5 and the first 15: `depth`, `hits`, `paired` (questions with paraphrases), "
            "of them `plain` (hits as asked) and `worded` (hits in other words), `floor` (the difference as a share), "
            "`compared` (questions that the earlier run has too, null without one), `won`, `lost` (questions), "
            "`verdict` (won, lost, draw, null)",
        ),
        ("saved", "with --test: the snapshot that was written, null where none"),
        *_TROUBLE,
    ),
    (
        replace(_QUESTION, optional=True),
        Argument("--limit", "how many hits, 50 at most; else 10", Kind.COUNT, metavar="N"),
        *_WHERE,
        Argument("--explain", "show how each score comes about", Kind.FLAG),
        Argument("--expired", "also notes that no longer hold or were replaced", Kind.FLAG),
        Argument("--test", "put the questions of a YAML file instead", metavar="FILE"),
        Argument("--save", "with --test: write where each file was found into a snapshot", metavar="FILE"),
        Argument("--against", "with --test: compare with an earlier snapshot", metavar="FILE"),
    ),
    "A file of questions is the one that route --test reads; a question may also have `paraphrases`. Questions whose\n"
    "file is not there, or holds no word of them, are dropped. What the paraphrases change is the floor; exit code 1\n"
    "where more was lost since the snapshot. It holds digests and ranks, no text; other files are not overwritten.",
    reads=True,
)
HITS = Verb(
    "hits",
    "show the five best hits with all their scores",
    "recall:hits",
    'memory-shaper hits "slow database"',
    (_HOME, ("query", "the question"), _HITS, *_TROUBLE),
    (_QUESTION, *_WHERE),
    reads=True,
)
TIMELINE = Verb(
    "timeline",
    "show what the notes say about something, newest first",
    "recall:timeline",
    "memory-shaper timeline redis",
    (
        _HOME,
        ("query", "what was asked for"),
        (
            "events",
            "newest first: `date` (null: none, listed last), `name`, `kind`, `snippet`, `invalid_at`, `valid_until`, "
            "`replaces` (as the note says), `replaced_by` (names of notes)",
        ),
        *_TROUBLE,
    ),
    (Argument("NAME", "a word or a name, in any case", optional=False, literal=True), _PROJECT),
    "Notes that no longer hold are shown too, with the day from which they do not, and with what replaced them.",
    reads=True,
)
FEEDBACK = Verb(
    "feedback",
    "say that a note was useful or useless",
    "recall:feedback",
    "memory-shaper feedback deploy.md useful",
    (_HOME, ("name", "the note"), ("up", "how often it was called useful"), ("down", "how often useless")),
    (
        Argument("NAME", "the file name of a note, live or archived", optional=False, names="notes"),
        Argument("WORD", "your word on it", choices=("useful", "useless"), optional=False),
    ),
    "Three good words more than bad ones raise a note's hits the most; a bad word weighs as much as two good ones.",
)
INDEX = Verb(
    "index",
    "bring the sidecar in step with the files",
    "indexing:index",
    "memory-shaper index\nmemory-shaper index --rebuild\nmemory-shaper index --synonyms",
    (
        _HOME,
        ("added", "the files that are new in the sidecar"),
        ("changed", "the files that were read again"),
        ("removed", "the files that are gone from it"),
        ("kept", "how many stayed as they were"),
        ("sessions", "how many messages of past sessions are new in it"),
        ("skipped", "what is not searched: `name`, `reason`"),
        ("notes", "what else happened"),
        ("gathered", "how many notes were looked through for names and new words"),
        ("words", "the words that the Chinese segmenter takes as one for this home"),
        ("recut", "how many notes were cut again because such a word came or went"),
        ("synonyms", "with --synonyms, likely ones, the closest first: `word`, `other`, `shared` (notes), `jaccard`"),
        (
            "vectors",
            "null without an endpoint, else `passages`, `known` (have an answer), `embedded` (just now), `trouble`",
        ),
    ),
    (
        Argument("--rebuild", "throw the sidecar away, and vectors of other models, and build anew", Kind.FLAG),
        Argument("--synonyms", "also find words that stand in mostly the same notes", Kind.FLAG),
    ),
    "Every search does this by itself, vectors as far as its time goes. Nothing but sidecar.db and vectors.db is\n"
    "written, and both can be deleted at any time; vectors are then asked for again. Exit code 1 where an endpoint is\n"
    "set and not every passage has an answer. Words of yours for the segmenter go into words.txt, synonyms into\n"
    "synonyms.txt, both beside the sidecar; likely synonyms are shown as rows that can be pasted there.",
)

RECALL = (ROUTE, SEARCH, HITS, TIMELINE, FEEDBACK, INDEX)
