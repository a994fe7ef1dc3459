#!/bin/sh
# Starts the minion: the agent of the package, or the newer one that saltutil.update has put in its place. A newer one
# that was started three times and never reached its master is put aside for the one before it.
set -u
lib=${BRINE_LIB:-/usr/lib/brine}
home=${BRINE_AGENT_DIR:-/var/lib/brine/minion/agent}

if [ -f "$home/trial.json" ]; then
  tries=$(cat "$home/tries" 2>/dev/null || echo 0)
  if [ "$tries" -ge 3 ]; then
    rm -f "$home/current.mjs" "$home/tries"
    [ -f "$home/previous.mjs" ] && mv -f "$home/previous.mjs" "$home/current.mjs"
    mv -f "$home/trial.json" "$home/failed.json"
  else
    echo $((tries + 1)) >"$home/tries"
  fi
fi

agent=$lib/brine-minion.mjs
[ -f "$home/current.mjs" ] && agent=$home/current.mjs
export BRINE_AGENT_DIR="$home"
# The agent mostly waits: what it needs for a moment is collected at once.
exec "${BRINE_NODE:-node}" --max-semi-space-size=1 "$agent" "$@"
