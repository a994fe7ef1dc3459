# Fires what it reacts to itself.
again:
  runner.event.send:
    - args:
      - tag: e2e/loop
      - data: {{ data | json }}
