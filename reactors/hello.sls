# The event's data is a value wherever it is printed, never YAML: try name='x: [y'.
say_hello:
  local.test.echo:
    - tgt: {{ data['id'] }}
    - arg:
      - hello {{ data['data']['name'] | default('world') }}
