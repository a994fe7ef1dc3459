# An orchestration with every kind of step that asks somebody for something, one after the other.
a_runner:
  salt.runner:
    - name: test.arg
    - arg: [1]
    - color: red
a_wheel_function:
  salt.wheel:
    - name: key.list
    - match: acc
some_runners:
  salt.parallel_runners:
    - runners:
        first:
          - name: test.raw_arg
          - kwarg: {n: 1}
        second:
          - name: jobs.list_jobs
an_orchestration:
  salt.runner:
    - name: state.orchestrate
    - mods: e2e.inner
a_function:
  salt.function:
    - name: test.arg
    - tgt: web1
    - arg: [one]
    - kwarg: {two: 2}
a_state:
  salt.state:
    - tgt: web1
    - sls: e2e.applied
