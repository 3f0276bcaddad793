"""Words that rules cannot handle: irregular English forms, and the words that say nothing about a subject. Pure data.

Each irregular row is a base form followed by its other forms. The stop lists hold function words, question words and
the small talk of questions to a memory; they weigh nothing in a query, unless nothing else would be left of it.
"""

from __future__ import annotations

_IRREGULAR = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bet bets
bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built
burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug
dive dove|do did done does doing|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten
fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown flies|forbid forbade forbidden
forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone goes
grind ground|grow grew grown|hang hung|have had has having|hear heard|hide hid hidden|hold held|keep kept
kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt|leave left|lend lent|lie lain
light lit|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden|ring rang rung
rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken
shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept
slide slid|smell smelt|speak spoke spoken|speed sped|spend spent|spill spilt|spin spun|spring sprang sprung
stand stood|steal stole stolen|stick stuck|sting stung|strike struck|swear swore sworn|sweep swept
swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought
throw threw thrown|understand understood|undo undid undone|wake woke woken|wear wore worn|weave wove woven
weep wept|win won|wind wound|write wrote written|overcome overcame|undergo underwent undergone|withdraw withdrew
rebuild rebuilt|rewrite rewrote rewritten|mistake mistook mistaken|foresee foresaw foreseen|uphold upheld
man men|woman women|child children|foot feet|tooth teeth|mouse mice|goose geese|person people|life lives
wife wives|knife knives|leaf leaves|shelf shelves|half halves|wolf wolves|loaf loaves|thief thieves|self selves
good better best|bad worse worst|index indices indexes|matrix matrices|vertex vertices|analysis analyses
crisis crises|thesis theses|criterion criteria|phenomenon phenomena|datum data|medium media|axis axes
mom mum mommy mother|dad daddy father|photo photograph pic picture|tv television|kid kids|bike bicycle
"""

_ENGLISH = """
a about above after again against all also am an and any are aren't as at be because been before being below
between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each
either else ever every few for from further get gets got had hadn't has hasn't have haven't having he her here
hers herself him himself his how however i if in into is isn't it it's its itself just let like ll may me might
mine more most much must my myself neither no nor not now of off often on once one only or other others our ours
ourselves out over own please quite rather re really s same shall she should shouldn't since so some someone
something such t than that the their theirs them themselves then there these they this those though through to
too under until up upon us ve very was wasn't we were weren't what what's when where whether which while who
who's whom whose why will with within without won't would wouldn't yes yet you your yours yourself yourselves
"""
_CHINESE = """
的 了 着 过 吗 呢 吧 啊 呀 嘛 么 是 在 和 与 及 或 而 也 都 就 又 还 很 把 被 让 给 从 到 向 对 为 以 于 之 其
这 那 哪 谁 我 你 他 她 它 您 们 个 些 什么 怎么 怎样 如何 为何 为什么 哪里 哪儿 哪个 哪些 哪种 哪位 多少 几个
什么样 是否 是什么 有没有 可以 能够 请问 我们 你们 他们 她们 它们 自己 这个 那个 这些 那些 这样 那样 一个 一些
一下 以及 因为 所以 但是 如果 然后 并且 关于 进行 具体 主要 通常 曾经 已经 时候
"""


def _table(text: str) -> dict[str, str]:
    rows = (row.split() for line in text.split("\n") for row in line.split("|") if row)
    return {form: base for base, *forms in rows for form in forms}


IRREGULAR = _table(_IRREGULAR)
STOP_ENGLISH = frozenset(_ENGLISH.split())
STOP_CHINESE = frozenset(_CHINESE.split())
