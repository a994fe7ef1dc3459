# Fails on every event.
broken:
  local.test.ping:
    - tgt: {{ data['there']['is']['no']['such'] }}
