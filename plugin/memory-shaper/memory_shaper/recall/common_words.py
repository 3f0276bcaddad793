"""Words that begin sentences without being names, times, and Chinese surnames. Pure data."""

from __future__ import annotations

_COMMON = """
access account action add address admin agent agree all allow alternative amount answer api app application apply
approach archive area article ask assume attach author auto avoid back backup balance base because best better big
bill board body book both box branch browser bug build business button buy cache call can care case cause chance
change channel chapter chat check city class clean clear click client close cloud code column come command comment
commit common community company compare complete config configuration connect consider contact content context continue
contract control copy core correct cost could count country course create current customer daily dark data database
date day deadline dear debug decide decision default define delay delete deploy design desk detail details dev device
different direct disable disk display docs document documents domain done double download draft drop due early easy edit
email employee empty enable end enter entry error event every everyone everything example exit expect explain export
extra face fact facts fail failure family fast fast feature field file files fill filter final fire first fix flag flow
focus folder follow food foot form format forward free friend friends front full function future game general goal
good great green group guest guide guy half hand handle hard head health hello help hi history hold holiday home host
hot hotel hour house idea image import important improve include index info information input inside install instead
interest internal interview invite invoice issue item items job join just keep key keyword kind kitchen label language
large last late later latest launch law layout lead leader least left legal lesson letter level library license life
light limit line lines link links list little live load local location lock log login logs long look lot love low lunch
machine mail main maintain major manage manager many map mark market master match matter maximum maybe meal member memo
memory menu merge message method middle migrate minimum minute mode model module money monitor month monthly morning
most move movie music name names need network never new news next nice night nobody node none normal note notes nothing
notice number object off offer office official often old open option options order original other output outside owner
package page paper parent part parts party password past path pay payment people per perhaps person phone photo pick
picture place plan plans play please plus point policy post prefer prepare press previous price print priority private
problem process product profile program project prompt protect proxy public pull push put quarter query question
questions queue quick quickly quiet quite quote random rate raw reach read ready real really reason recent record red
reduce reference refresh region release reload remember remind reminder remote remove rename repeat replace reply
report repository request require reset resource response rest restart restore result results resume retry return
review right road role roll room root round route rule rules safe sale same sample save schedule school score screen
script search second section secret security select self send sent server service services session set setting settings
setup several share shell shop short should side sign simple since single site size skip sleep slow small software
solution some something sometimes son soon sorry sort sound source space special specific speed split sports staff stage
standard star start state statement station status stay step steps still stop storage store story street strict string
strong structure student study stuff style subject submit success such suggest summary super support sure surface switch
sync system table tag tags talk target task tasks tax team tech template ten term terms test tests text thank thanks
thing things think third three ticket time times tip tips title today together tomorrow tonight too tool tools top topic
topics total town track trade traffic train transfer travel tree trip trouble true truth try turn two type under
unique unit unless update updated upgrade upload use used useful user users usual usually valid value values version
very video view visit volume wait walk wall want warn warning watch water way week weekend weekly weight welcome west
whatever wheel white whole wide wife window wish woman word words work worker world wrap write wrong year years yellow
yesterday young zero north south east west minutes hours days weeks months fine careful given based according despite
although besides during ensure finally however likewise meanwhile moreover nevertheless otherwise regarding therefore
thus whenever wherever worth figure table chapter appendix lunch dinner breakfast mum dad mom baby boy girl kid kids
cat dog car bus bike house garden birthday wedding christmas visit enjoy wow hey yeah yep yup nope oh ah well congrats
glad happy sad sounds looks seems thanks absolutely definitely totally exactly congratulations sorry hope hopefully
"""
_TIMES = """
monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm utc gmt
"""
_SIGNS = """
ok okay todo fixme nb ps eg ie etc asap fyi tbd wip na vs dr mr mrs ms prof no yes not must
id readme url http https www
"""

COMMON_ENGLISH = frozenset(_COMMON.split())
NO_NAMES = frozenset((_TIMES + _SIGNS).split())
# The hundred or so that nearly all Chinese bear.
SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任"
    "姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
