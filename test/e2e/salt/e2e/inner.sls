# An orchestration that another calls.
inner:
  salt.wheel:
    - name: key.list_all
