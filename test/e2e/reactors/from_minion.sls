# The id is the sender's, whatever the event claims.
answer:
  local.test.arg:
    - tgt: {{ data['id'] }}
    - arg:
      - {{ data['data']['x'] }}
