# Says hello to whom the event names.
greet:
  local.test.echo:
    - tgt: {{ data['to'] }}
    - arg:
      - hello {{ data['name'] | default('world') }}
