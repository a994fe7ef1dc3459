#!/bin/sh
# Starts the minion: the agent of the package, or the newer one that saltutil.update has put in its place. A newer one is
# on trial until it has reached its master (it removes trial.json then): where it ends three times before that, or has not
# reached it after two minutes, the one before it takes its place again.
set -u
lib=${BRINE_LIB:-/usr/lib/brine}
home=${BRINE_AGENT_DIR:-/var/lib/brine/minion/agent}
trial=${BRINE_UPDATE_TRIAL:-120}

if [ -f "$home/trial.json" ]; then
  tries=$(cat "$home/tries" 2>/dev/null || echo 0)
  if [ "$tries" -ge 3 ]; then
    rm -f "$home/current.mjs" "$home/tries"
    [ -f "$home/previous.mjs" ] && mv -f "$home/previous.mjs" "$home/current.mjs"
    mv -f "$home/trial.json" "$home/failed.json"
  else
    echo $((tries + 1)) >"$home/tries"
    echo $$ >"$home/trial.pid"
    (
      sleep "$trial"
      if [ -f "$home/trial.json" ] && [ "$(cat "$home/trial.pid" 2>/dev/null)" = $$ ]; then
        echo 3 >"$home/tries"
        kill -KILL $$
      fi
    ) </dev/null >/dev/null 2>&1 &
  fi
fi

agent=$lib/brine-minion.mjs
[ -f "$home/current.mjs" ] && agent=$home/current.mjs
export BRINE_AGENT_DIR="$home"
# The agent mostly waits: what it needs for a moment is collected at once.
exec "${BRINE_NODE:-node}" --max-semi-space-size=1 "$agent" "$@"
