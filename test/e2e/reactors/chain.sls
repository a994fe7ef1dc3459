# Fires what another entry reacts to.
next_link:
  runner.event.send:
    - args:
      - tag: e2e/chain/2
      - data: {{ data | json }}
