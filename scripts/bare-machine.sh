#!/usr/bin/env bash
# Runs commands on a machine that has Node, npm, git and the programs that every Debian has, and nothing else: no browser, no database,
# no curl, openssl, ps, python3, jq, tmux. Whatever this machine has besides is not there, wherever it is installed.
#
#   scripts/bare-machine.sh                 starts the server, runs the first commands that it prints, and stops it with SIGTERM, then runs
#                                           `npx -y pnpm@12 test`
#   scripts/bare-machine.sh COMMAND …       runs these commands instead, one after the other, in a fresh clone of HEAD
#   scripts/bare-machine.sh --check         only checks that this machine can run one
#
# BARE_GIT=no leaves out git, as in an archive of the sources. BARE_OFFLINE=yes installs from what pnpm and npm have on this machine
# instead of from the registry.
#
# The machine differs from others also in what is free of charge: another user than root, umask 077, a time zone 5:45 ahead, a Turkish
# locale, no IPv6, 512 MB of /tmp, and, once the packages are installed, no network but loopback. Requires util-linux, iproute2, and a
# kernel with namespaces: root, or a user who may create a user namespace (who cannot become another user there).
set -euo pipefail

home=/home/dev
# The server has a group of its own, so that a signal reaches npx, pnpm and Node as it does from a terminal.
# shellcheck disable=SC2016 # expanded inside
start='
setsid npx -y pnpm@12 start >../start.log 2>&1 &
server=$!
ends() { for _ in $(seq 300); do kill -0 -- "-$server" 2>/dev/null || return 0; sleep 0.1; done; return 1; }
fail() { echo "$*" >&2; cat ../start.log; exit 1; }
node -e "
  const until = Date.now() + 120_000
  const again = () => (Date.now() < until ? setTimeout(look, 100) : process.exit(1))
  const look = () => fetch(\"http://127.0.0.1:8787/_app/health\").then(({ ok }) => ok || again(), again)
  look()" || fail "the server does not respond"
echo "the server responds after $SECONDS s"
# npx asks before it downloads a package that is not installed; here it must find the CLI of the clone. The tests after this see no profile.
export npm_config_yes=false XDG_CONFIG_HOME="$HOME/config-of-start"
key=$(sed -n "s/.*write key *//p" ../start.log)
login=$(grep -o "npx formwire login --base-url [^ ]*" ../start.log) || fail "start prints no login"
grep -q " FORMWIRE_ADMIN_TOKEN=[^ ]* npx formwire deliveries tail" ../start.log || fail "start prints no deliveries tail"
$login --with-key <<<"$key" || fail "the login that start prints fails"
npx formwire forms list | grep -qE "^[a-z0-9]{12}" || fail "the CLI lists no forms"
rm -r "$XDG_CONFIG_HOME"
echo "the commands that start prints work"
kill -TERM -- "-$server"
ends || fail "the server does not end"
echo "the server has ended"
'

# Inside the namespaces. $1: root of the machine, $2: uid to become, or empty, $3: `install` or `run`, $4: commands.
inside() {
  local root=$1 uid=$2 phase=$3 commands=$4 folder name mask=022 become=() environment=()
  mount --make-rprivate /
  mount --bind "$root" "$root"
  for folder in usr/lib/"$(uname -m)"-linux-gnu usr/lib64 usr/lib/locale usr/lib/terminfo usr/lib/git-core usr/share; do
    [ -d "/$folder" ] || continue
    mkdir -p "$root/$folder"
    mount --rbind "/$folder" "$root/$folder"
    mount -o remount,bind,ro "$root/$folder"
  done
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=1777,size=512m tmpfs "$root/tmp"
  mount -t tmpfs -o mode=755,size=1m tmpfs "$root/dev"
  for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
  done
  for name in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${name#*:}" "$root/dev/${name%:*}"; done
  ln -s /proc/self/fd "$root/dev/fd"
  mkdir -m 1777 "$root/dev/shm"
  mount --bind "$NPM" "$root/opt/node/lib/node_modules/npm"
  if [ "$phase" = install ] && [ "${BARE_OFFLINE:-no}" = no ]; then
    environment+=(${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"})
    # The registry that this machine uses. The file may contain a token.
    [ ! -e "$HOME/.npmrc" ] || { touch "$root$home/.npmrc" && mount --bind "$HOME/.npmrc" "$root$home/.npmrc"; }
  fi
  # npx asks the registry for the newest pnpm 12 otherwise.
  [ "$phase" = install ] && [ "${BARE_OFFLINE:-no}" = no ] || environment+=(npm_config_offline=true)
  if [ "$phase" = run ]; then
    mask=077
    # The kernel forgets the signal of --kill-child when the user changes.
    [ -z "$uid" ] || become=(setpriv --reuid="$uid" --regid="$uid" --clear-groups --pdeathsig KILL)
    ip link set lo up
    for name in all lo; do echo 1 >"/proc/sys/net/ipv6/conf/$name/disable_ipv6" 2>/dev/null || true; done
  fi
  # shellcheck disable=SC2016 # expanded inside
  # The shell stays the first process, which has to collect those whose parents have ended.
  exec env -i HOME="$home" USER=dev PATH=/opt/node/bin:/usr/bin:/bin TERM=dumb TZ=Asia/Kathmandu LANG=tr_TR.UTF-8 \
    ${CI:+CI="$CI"} "${environment[@]}" "$(command -v chroot)" "$root" "${become[@]}" bash -c '
      umask "$1"
      cd ~/formwire
      code=0
      (eval "$2") || code=$?
      left=$(find /tmp -mindepth 1 -maxdepth 1 ! -name "tsx-*" ! -name "jest_*" ! -name node-compile-cache)
      [ -z "$left" ] || { printf "left in the scratch folder:\n%s\n" "$left" >&2; [ "$code" -ne 0 ] || code=1; }
      exit "$code"' bash "$mask" "$commands"
}
if [ "${1:-}" = --inside ]; then
  shift
  inside "$@"
fi

repository="$(cd "$(dirname "$0")/.." && pwd)"
uid=12345
[ "$(id -u)" -eq 0 ] || uid=
namespaces=(--mount --pid --fork --ipc --uts --kill-child)
[ -n "$uid" ] || namespaces+=(--map-root-user)
for program in unshare setpriv ip; do
  command -v "$program" >/dev/null || { echo "bare-machine.sh requires util-linux and iproute2: $program is missing" >&2; exit 1; }
done
unshare "${namespaces[@]}" --net mount -t proc proc /proc 2>/dev/null || {
  echo "bare-machine.sh requires a machine that allows namespaces; FORMWIRE_BARE=no .ci/run leaves it out" >&2
  exit 1
}
[ "${1:-}" != --check ] || exit 0

work="$(mktemp -d "${TMPDIR:-/tmp}/bare-machine-XXXXXX")"
machine=
# The first process of a namespace ignores every signal but this one, and takes all others with it.
remove() { rm -rf --one-file-system "$work"; }
# A process of the machine may write for a moment longer.
trap '[ -z "$machine" ] || kill -KILL "$machine" 2>/dev/null || true; wait; remove 2>/dev/null || { sleep 1; remove; }' EXIT
trap 'exit 143' INT TERM HUP
chmod 755 "$work"
root="$work/root"
mkdir -p "$root"/{usr/bin,usr/lib,etc,proc,tmp,run,dev,opt/node/bin,opt/node/lib/node_modules/npm} "$root$home"
for link in bin:usr/bin sbin:usr/bin lib:usr/lib lib64:usr/lib64 usr/sbin:bin; do ln -s "${link#*:}" "$root/${link%%:*}"; done

# What every Debian has: the packages that it calls essential, and awk. Then Node, npm and git.
mapfile -t packages < <(dpkg-query -W -f '${Essential} ${Package}\n' | sed -n 's/^yes //p')
[ "${BARE_GIT:-yes}" = no ] || packages+=(git)
mapfile -t names < <(dpkg -L "${packages[@]}" | sed -nE 's#^(/usr)?/s?bin/([^/]+)$#\2#p' | sort -u)
for name in "${names[@]}" awk; do
  ! path="$(type -P "$name")" || cp -aL "$path" "$root/usr/bin/$name" 2>/dev/null || true
done
cp -L "$(readlink -f "$(command -v node)")" "$root/opt/node/bin/node"
NPM="$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")"
export NPM
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/opt/node/bin/$name"; done
for name in hosts resolv.conf nsswitch.conf host.conf gai.conf services protocols ld.so.cache localtime ssl ca-certificates alternatives; do
  [ ! -e "/etc/$name" ] || cp -aL "/etc/$name" "$root/etc/" 2>/dev/null || true
done
printf 'root:x:0:0::/root:/bin/sh\ndev:x:12345:12345::%s:/bin/sh\n' "$home" >"$root/etc/passwd"
printf 'root:x:0:\ndev:x:12345:\n' >"$root/etc/group"

# Files of its own, since they get another owner.
git clone --quiet --no-hardlinks "$repository" "$root$home/formwire"
[ "${BARE_GIT:-yes}" != no ] || rm -rf "$root$home/formwire/.git"
install=(npx -y pnpm@12 install --frozen-lockfile)
if [ "${BARE_OFFLINE:-no}" = yes ]; then
  install+=(--offline)
  store="$(cd "$repository" && npx -y pnpm@12 store path)"
  store_inside="$root$home/.local/share/pnpm/store/$(basename "$store")"
  npm_cache="$(npm config get cache)"
  mkdir -p "$store_inside" "$root$home"/{.npm,.cache/pnpm}
  cp -a "$store"/index.db* "$store_inside"
  # Links, from which the install makes links, since a copy of 1.3 GB takes longer than all else. They keep their owner.
  cp -al "$store/files" "$store_inside" 2>/dev/null || cp -a "$store/files" "$store_inside"
  cp -a "$npm_cache/_npx" "$npm_cache/_cacache" "$root$home/.npm/"
  # That the versions of the lockfile are old enough, which only the registry knows.
  cp -a "${XDG_CACHE_HOME:-$HOME/.cache}/pnpm/lockfile-verified.jsonl" "$root$home/.cache/pnpm/"
fi

# $1: `install` or `run`, $2: commands.
on_machine() {
  local network=(--net) user=$uid
  [ "$1" = run ] || { network=() user=; }
  unshare "${namespaces[@]}" "${network[@]}" "$BASH" "$0" --inside "$root" "$user" "$1" "$2" &
  machine=$!
  wait "$machine"
  machine=
}

echo "== bare machine: ${install[*]}"
on_machine install "${install[*]}" >"$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }
if grep -F WARN "$work/install.log"; then
  echo 'the install prints warnings' >&2
  exit 1
fi
# Files with several links are also those of this machine's own store.
[ -z "$uid" ] || find "$root$home" '(' -type d -o -links 1 ')' -exec chown -h "$uid:$uid" {} +
# A machine that has more than it should proves nothing.
# shellcheck disable=SC2016 # expanded inside
on_machine run 'for name in chromium curl jq openssl ps psql python3 redis-server tmux; do
  ! command -v "$name" || { echo "$name is there: not a bare machine" >&2; exit 1; }; done
  [ ! -e /usr/bin/chromium ] && [ ! -e /usr/lib/postgresql ] && [ ! -e /usr/bin/curl ]'
[ "$#" -gt 0 ] || set -- "$start" 'npx -y pnpm@12 test'
for command; do
  printf '== bare machine, after %d s: %s\n' "$SECONDS" "$(grep -m 1 . <<<"$command")"
  on_machine run "$command"
done
echo "== bare machine: all passed after $SECONDS s"
