# When a minion comes online, ask it who it is.
who_is_there:
  local.grains.item:
    - tgt: {{ data['id'] }}
    - arg:
      - os
      - osrelease
      - num_cpus
