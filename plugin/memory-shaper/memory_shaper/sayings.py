"""Words that people say for a thing that a text names otherwise: a small table of everyday pairs. Pure."""

from __future__ import annotations

from collections.abc import Mapping

_ROWS = """
argocd: deploy kubernetes
gitlab: git pipeline
github: git repository
terraform: infrastructure cloud
aws: cloud infrastructure
s3: bucket storage
bucket: storage s3
kafka: queue events messages
grafana: monitoring dashboard metrics
alerts: monitoring
prometheus: monitoring metrics
openai: llm model
java: jvm
maven: java build
marathon: running race sport
running: sport
cello: music lesson
guitar: music lesson
espresso: coffee machine
pancakes: recipe breakfast cooking
recipe: cooking
flour: baking recipe
tyres: car tires
volvo: car garage
garage: car
printer: print
sci-fi: books novels
books: reading
obsidian: vault
vat: tax
accounting: invoice tax
kids: children family
rime: 输入法 keyboard
双拼: 输入法 keyboard
旅行: travel trip holiday
民宿: hotel travel
花生: peanut
微信: wechat
公众: wechat article
上线: deploy release
运维: ops
postgres: database sql 数据库
postgresql: postgres database sql 数据库
mysql: database sql 数据库
mariadb: database mysql sql
sqlite: database sql
mongodb: database nosql
redis: cache kv
数据库: database
docker: container 容器
podman: container
kubernetes: k8s cluster 集群
k8s: kubernetes cluster
kubectl: kubernetes cluster
nginx: webserver proxy
caddy: webserver proxy
apache: webserver
traefik: proxy ingress
certbot: certificate https tls
tls: certificate https ssl
backup: restore 备份
backups: restore 备份
备份: backup restore
restic: backup snapshot
borg: backup snapshot
deploy: release rollout 部署
deployment: deploy release 部署
deploys: deploy release 部署
部署: deploy release
ci: pipeline build
pytest: tests testing
wifi: wireless network router
router: network wifi
路由器: router network wifi
打印机: printer
printer: print 打印
ssh: login remote
vpn: wireguard tunnel remote
wireguard: vpn tunnel
allergic: allergy food 过敏
allergy: allergic food
过敏: allergy food 忌口
birthday: born gift 生日
生日: birthday gift 礼物
wife: spouse family 妻子
husband: spouse family 丈夫
妻子: wife family
dog: pet vet 狗
cat: pet vet 猫
vegetarian: diet food meat
vegan: diet food meat
coffee: drink espresso 咖啡
咖啡: coffee drink
tea: drink 茶
flight: travel airport airline
flights: travel airport airline
hotel: travel booking stay
trip: travel holiday
机票: flight travel
dentist: teeth appointment
doctor: appointment clinic health
gym: workout exercise
piano: music practice
钢琴: piano music
vim: editor
neovim: editor vim
emacs: editor
vscode: editor ide
tabs: indentation spaces
indent: indentation tabs
spaces: indentation tabs
timezone: time clock utc 时区
时区: timezone time
invoice: billing payment bill
invoices: billing payment bill
发票: invoice billing
salary: pay payroll
rent: landlord flat apartment
房租: rent landlord
laptop: computer machine
笔记本: laptop computer
nas: storage synology
synology: nas storage
群晖: nas synology storage
cron: schedule job
crontab: cron schedule
webhook: callback notification
slack: chat channel
telegram: chat bot
github: git repository
git: branch commit
rebase: git merge
oom: memory-leak crash killed
timeout: slow hang
latency: slow performance
macos: mac apple
archlinux: linux pacman
ubuntu: linux apt
debian: linux apt
拼音: pinyin 输入法
输入法: ime keyboard
meeting: standup calendar
standup: meeting calendar
会议: meeting calendar
deadline: due
wine: drink
bike: bicycle cycling
car: vehicle driving garage
汽车: car vehicle
school: kids class
daughter: kid child family
son: kid child family
女儿: daughter child family
儿子: son child family
"""

SAYINGS: Mapping[str, tuple[str, ...]] = {
    word: tuple(others.split()) for word, _, others in (row.partition(":") for row in _ROWS.split("\n") if row)
}
