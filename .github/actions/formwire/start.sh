#!/usr/bin/env bash
# Starts formwire-server in the background, waits for its first line, and exports what later steps need.
set -euo pipefail

if [ "${1:-}" = serve ]; then
  # npx runs this part, with the server on its PATH. The process writes its id and becomes the server: stopping npx may not stop it.
  echo $$ >"$2/pid"
  read -r -a command <<<"${FORMWIRE_SERVER:-formwire-server}"
  read -r -a extra <<<"${FORMWIRE_ARGS:-}"
  exec "${command[@]}" \
    --json --port "${FORMWIRE_PORT:-0}" --seed "${FORMWIRE_SEED:-empty}" --clock "${FORMWIRE_CLOCK:-manual}" \
    ${extra[@]+"${extra[@]}"}
fi

folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/formwire-XXXXXX")
set -m # what follows gets a process group of its own
npx=(npx --yes --package "@formwire/reference-server@${FORMWIRE_VERSION:-latest}")
[ -z "${FORMWIRE_SERVER:-}" ] || npx=() # a command that is installed
${npx[@]+"${npx[@]}"} bash "$0" serve "$folder" \
  >>"$folder/stdout" 2>"$folder/stderr" </dev/null &
job=$!

deadline=$((SECONDS + ${FORMWIRE_TIMEOUT_SECONDS:-120}))
until grep -q '"listening"' "$folder/stdout"; do
  if ! kill -0 "$job" 2>/dev/null; then
    echo "::error title=Formwire::formwire-server ended before it was ready"
    cat "$folder/stderr" >&2
    exit 1
  fi
  if [ "$SECONDS" -ge "$deadline" ]; then
    echo "::error title=Formwire::formwire-server was not ready in ${FORMWIRE_TIMEOUT_SECONDS:-120} seconds"
    cat "$folder/stderr" >&2
    kill -- "-$job"
    exit 1
  fi
  sleep 0.2
done

node "$(dirname "$0")/export.mjs" "$folder/stdout" "$(cat "$folder/pid")"
# The keys are in the job's environment now. Emptied, not removed: the server has the file open, which Windows does not allow.
: >"$folder/stdout"
