"""Kinds of shell commands that change the index, and their harmless twins."""

from __future__ import annotations

from pathlib import Path

import pytest
from shell_tools import changes, make_home

DAMAGE = r"""
echo x 1<> {INDEX}
echo 'rm {INDEX}' | sh
printf 'rm %s' {INDEX} | bash
bash <<< 'rm {INDEX}'
cat <<EOF | sh⏎rm {INDEX}⏎EOF
echo 'rm {INDEX}' > s.sh; sh s.sh
cat > s.sh <<'EOF'⏎rm {INDEX}⏎EOF⏎chmod +x s.sh; ./s.sh
eval 'rm {INDEX}'
f() { rm "$1"; }; f {INDEX}
function f { rm "$1"; }⏎f {INDEX}
for f in {MEMDIR}/*.md; do rm $f; done
for f in {INDEX}; do echo > "$f"; done
A=({INDEX}); rm "${A[@]}"
rm {MEMDIR}/{MEMORY,x}.md
rm ${HERMES_HOME}/memories/MEMORY.md
rm ${HERMES_HOME:-~/.hermes}/memories/MEMORY.md
rm ${UNSET_NAME:-{INDEX}}
F={INDEX}; echo x > ${F%/*}/MEMORY.md
D={MEMDIR}; cd $D; rm MEMORY.md
cd {MEMDIR}; cd -; cd - ; rm MEMORY.md
pushd {MEMDIR}; rm MEMORY.md
pushd {MEMDIR}; pushd /tmp; popd; rm MEMORY.md
find {MEMDIR} -name '*.md' -exec rm {} \;
find {MEMDIR} -name '*.md' -exec rm {} +
find {MEMDIR} -name MEMORY.md | xargs rm
find {MEMDIR} -name MEMORY.md -print0 | xargs -0 rm
find {MEMDIR} -type f -delete
find {MEMDIR} -delete
cd {MEMDIR}; find . -iname 'memory*' -execdir truncate -s 0 {} \;
ls {MEMDIR}/*.md | xargs rm
ls {MEMDIR} | xargs -I{} rm {MEMDIR}/{}
echo {INDEX} | while read f; do rm "$f"; done
while read f; do rm "$f"; done <<< "{INDEX}"
rm "$(echo {INDEX})"
rm $(find {MEMDIR} -name 'MEM*')
rm `dirname {INDEX}`/MEMORY.md
sudo rm {INDEX}
sudo -u root sh -c 'rm {INDEX}'
timeout 5 rm {INDEX}
timeout -s KILL 5 bash -c "rm {INDEX}"
nohup nice -n 5 rm {INDEX} &
env F={INDEX} sh -c 'rm $F'
export F={INDEX}; sh -c 'rm $F'
F={INDEX} bash -c 'rm $F'
trap 'rm {INDEX}' EXIT
busybox rm {INDEX}
command rm {INDEX}
exec rm {INDEX}
\rm {INDEX}
'rm' {INDEX}
/bin/rm {INDEX}
r''m {INDEX}
if true; then rm {INDEX}; fi
if [ -d {MEMDIR} ]; then cd {MEMDIR}; rm MEMORY.md; fi
case x in x) rm {INDEX};; esac
[ -f {INDEX} ] && rm {INDEX}
test -f x || rm {INDEX}
{ rm {INDEX}; }
(cd {MEMDIR}; rm MEMORY.md)
time rm {INDEX}
! rm {INDEX}
echo a; echo b & rm {INDEX}
cat <(rm {INDEX})
echo $(rm {INDEX})
echo "$(rm {INDEX})"
echo $(( 1 + $(rm {INDEX}; echo 1) ))
[[ -n $(rm {INDEX}) ]]
echo x | tee -a {INDEX} > /dev/null
echo x | sudo tee {INDEX}
cat x >| {INDEX}
exec > {INDEX}; echo x
exec 3>{INDEX}
exec {fd}>{INDEX}
echo x >& {INDEX}
echo x &>> {INDEX}
ls nothing 2> {INDEX}
{ echo a; } > {INDEX}
for i in 1 2; do echo $i; done > {INDEX}
while true; do echo x; break; done >> {INDEX}
sed -n 'w {INDEX}' x
sed 's/a/b/w {INDEX}' x
sed -e 1d -i {INDEX}
sed --in-place=.b 1d {INDEX}
awk '{print > "{INDEX}"}' x
awk -v f={INDEX} '{print > f}' x
awk 'BEGIN{system("rm {INDEX}")}'
awk '{print | "tee {INDEX}"}' x
perl -pi -e s/a/b/ {INDEX}
perl -i.bak -ne print {INDEX}
sort x -o {INDEX}
sort -uo {INDEX} x
cp -t {MEMDIR} /tmp/MEMORY.md
cp --target-directory={MEMDIR} /tmp/MEMORY.md
install -m 644 x {INDEX}
install -D x {INDEX}
mv -f x {INDEX}
mv {MEMDIR} /tmp/old
cp a.txt {MEMDIR}/MEMORY.md
cp /tmp/MEMORY.md {MEMDIR}
chmod -w {INDEX}
chmod 000 {INDEX}
chmod -R 700 {MEMDIR}
chown root {INDEX}
chattr +i {INDEX}
setfacl -m u:x:r {INDEX}
touch {INDEX}
curl -o {INDEX} http://x
curl -sSL http://x -o {INDEX}
cd {MEMDIR} && curl -O http://h/MEMORY.md
wget -qO {INDEX} http://x
patch {INDEX} < p.diff
cd {MEMDIR} && patch -p1 <<'EOF'⏎--- a/MEMORY.md⏎+++ b/MEMORY.md⏎@@ -1 +1 @@⏎-a⏎+b⏎EOF
gzip {INDEX}
dos2unix {INDEX}
tar xf b.tar -C {MEMDIR} MEMORY.md
unzip -o b.zip MEMORY.md -d {MEMDIR}
yq -i '.a=1' {INDEX}
ln -f x {INDEX}
ln -s {MEMDIR} /tmp/mm; echo x > /tmp/mm/MEMORY.md
ln {INDEX} h; echo x > h
flock /tmp/l rm {INDEX}
flock /tmp/l -c 'rm {INDEX}'
watch -n 1 rm {INDEX}
parallel rm ::: {INDEX}
cd ~/.hermes/memories && >MEMORY.md
rm ~/.hermes/memories/MEMORY.md
rm "$HOME/.hermes/memories/MEMORY.md"
rm $HOME/.hermes/mem*/MEM*
cd {MEMDIR}/archived\ memories && rm ../MEMORY.md
cd {MEMDIR} && echo x > /proc/self/cwd/MEMORY.md
rsync -a --delete /tmp/e/ {MEMDIR}/
shopt -s extglob; rm {MEMDIR}/!(java.md)
dd of={INDEX} <<< x
xxd -r x {INDEX}
openssl rand -out {INDEX} 10
pandoc x -o {INDEX}
iconv -f a -t b x -o {INDEX}
vim +wq {INDEX}
nano {INDEX}
ed {INDEX} < cmds
echo $'x\n' > $'{INDEX}'
echo x > "{MEMDIR}"/'MEMORY'.md
X=MEM; Y=ORY; echo > {MEMDIR}/$X$Y.md
printf -v F '%s/%s' {MEMDIR} MEMORY.md; echo > $F
set -- {INDEX}; rm $1
bash -c 'rm $1' _ {INDEX}
bash -c 'rm "$@"' _ {INDEX}
bash -lc 'rm {INDEX}'
echo x | dd of={INDEX}
cat /dev/null | sponge {INDEX}
mkdir -p /tmp/zz && cd /tmp/zz && cp /tmp/q {INDEX}
cd /no/such/folder; rm {INDEX}
git -C {MEMDIR} rm MEMORY.md
git -C {MEMDIR} mv MEMORY.md x.md
git checkout HEAD~1 -- {INDEX}
cd {MEMDIR} && git checkout .
rename MEMORY x {INDEX}
python3 -m json.tool x {INDEX}
script -c 'rm {INDEX}' /tmp/t
coproc rm {INDEX}
coproc N { rm {INDEX}; }
cat > {INDEX} <<EOF⏎new⏎EOF
cat <<A <<B > {INDEX}⏎a⏎A⏎b⏎B
cat <<-EOF | bash⏎	rm {INDEX}⏎	EOF
mount --bind /tmp/x {INDEX}
echo x \⏎ > {INDEX}
""".strip().split("\n")

HARMLESS = r"""
cat {INDEX}
[[ a > {INDEX} ]]
(( 3 > 2 ))
test a \> {INDEX}
echo "x > {INDEX}"
echo 'x' # > {INDEX}
grep 'x > {INDEX}' f
cat <<EOF⏎rm {INDEX}⏎EOF
cat > notes.md <<'EOF'⏎echo x > {INDEX}⏎EOF
git commit -m "x > {INDEX}"
git add {INDEX}
git -C {MEMDIR} status
git -C {MEMDIR} stash list
rm -f {MEMDIR}/java.md
find {MEMDIR} -name '*.tmp' -delete
find {MEMDIR} -name '*.md' ! -name MEMORY.md -delete
find {MEMDIR} -name '*.md' -exec cat {} \;
find {MEMDIR} -name '*.md' | xargs wc -l
for f in {MEMDIR}/*.md; do wc -l "$f"; done
for f in {MEMDIR}/*.md; do cp "$f" /tmp/bk/; done
awk '$1 > 3' {INDEX}
awk '{ if ($1 > 3) print }' {INDEX}
awk -F, '{print $1 > "/dev/stderr"}' {INDEX}
sed -n '/a/p' {INDEX}
sed -e 's/x/w/' {INDEX}
sed 's/a/b/' {INDEX} > /tmp/new
cp {INDEX} /tmp
cp -r {MEMDIR} /tmp/bk
tar czf /tmp/b.tgz {MEMDIR}
tar czf /tmp/b.tgz -C {MEMDIR} MEMORY.md
zip /tmp/b.zip {INDEX}
gzip -c {INDEX} > /tmp/x.gz
gzip -k {MEMDIR}/java.md
rsync -a {MEMDIR}/ /tmp/bk/
rsync {INDEX} host:/x
scp {INDEX} host:
ln -s {INDEX} /tmp/link
diff <(sort {INDEX}) <(sort /tmp/b)
cd /tmp && echo x > MEMORY.md
cd {MEMDIR} && cd .. && echo x > MEMORY.md
(cd {MEMDIR}); echo x > MEMORY.md
cd {MEMDIR} && ls; cd /tmp; rm -f MEMORY.md
cd {MEMDIR} | true; echo x > MEMORY.md
echo x 2>&1 >/dev/null
ls {MEMDIR} 2> /tmp/err
tee /tmp/x < {INDEX}
cat {INDEX} | tee /tmp/y
less {INDEX}
vim -R {INDEX}
code --diff {INDEX} x
stat -c %s {INDEX}
md5sum {INDEX}
uniq {INDEX}
sort {INDEX} | uniq -c
xargs -n1 echo < {INDEX}
grep -c x {INDEX} > /tmp/count
wc -l {INDEX} >> log.txt
echo "$(cat {INDEX})"
X=$(cat {INDEX}); echo "$X" | grep y
if grep -q x {INDEX}; then echo yes > /tmp/o; fi
test -s {INDEX} && echo ok
[ {INDEX} -nt /tmp/x ]
dd if={INDEX} of=/tmp/copy
truncate -s 0 /tmp/MEMORY.md
head -c 100 {INDEX} | base64
ssh host 'rm {INDEX}'
rm -rf {MEMDIR}/old
mkdir -p {MEMDIR}
mv {MEMDIR}/java.md {MEMDIR}/java2.md
touch {MEMDIR}/new.md
split -l 1 {INDEX} /tmp/part
jq . {INDEX}
crudini --get {INDEX} a b
curl -d @{INDEX} http://x
echo C:\Users\x > out
false && rm {INDEX}
true || rm {INDEX}
pandoc {INDEX} -o /tmp/x.html
openssl dgst -sha256 {INDEX}
patch --dry-run {INDEX} < p
git diff --no-index {INDEX} /tmp/b
git show HEAD:MEMORY.md > /tmp/old.md
env | sort > /tmp/env
printf '%s\n' "> {INDEX}"
alias rmi='rm {INDEX}'
f() { rm {INDEX}; }
: rm {INDEX}
chmod +x s.sh
unzip -l {INDEX}
sed -i s/a/b/ {MEMDIR}/java.md
git log -p -- {INDEX} | head -50
history | grep MEMORY.md
cat {INDEX} > /dev/null
wc < {INDEX}
for i in $(seq 3); do echo $i; done > /tmp/n
echo \> {INDEX}
echo a">"{INDEX}
cut -d'>' -f1 {INDEX}
exit 0; rm {INDEX}
rm {MEMDIR}
cp -n x {INDEX}
ln -s x {INDEX}
cd {MEMDIR} && sort MEMORY.md > /tmp/sorted && wc -l /tmp/sorted
python3 --version > /tmp/MEMORY.md
while read l; do echo "$l"; done < {INDEX}
cat <<'EOF' > /tmp/how.md⏎`rm {INDEX}` and $(rm {INDEX})⏎EOF
git commit -F - <<EOF⏎docs -> {INDEX}⏎EOF
wget -P {MEMDIR} http://h/MEMORY.md
""".strip().split("\n")


@pytest.mark.parametrize("command", DAMAGE)
def test_damage_is_seen(command: str, tmp_path: Path) -> None:
    """A command of a damaging kind has a changing effect on the index."""
    home = make_home(tmp_path)
    assert changes(home.read(command.replace("⏎", "\n")), home.index)


@pytest.mark.parametrize("command", HARMLESS)
def test_harmless_is_let_alone(command: str, tmp_path: Path) -> None:
    """A harmless twin has no changing effect on the index, and nothing in it is unknown."""
    home = make_home(tmp_path)
    reading = home.read(command.replace("⏎", "\n"))
    assert not changes(reading, home.index)
    assert not reading.opaque
