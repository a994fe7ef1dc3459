# /srv/salt/orch/deploy.sls

remove_from_lb:
  salt.function:
    - name: cmd.run
    - tgt: 'G@role:loadbalancer'
    - tgt_type: compound
    - arg:
      - 'haproxy-disable backend web01'

deploy_app:
  salt.state:
    - tgt: 'web01'
    - sls:
      - app.deploy
    - require:
      - salt: remove_from_lb

run_smoke_tests:
  salt.function:
    - name: cmd.run
    - tgt: 'web01'
    - arg:
      - '/opt/app/bin/smoke-test.sh'
    - require:
      - salt: deploy_app

add_to_lb:
  salt.function:
    - name: cmd.run
    - tgt: 'G@role:loadbalancer'
    - tgt_type: compound
    - arg:
      - 'haproxy-enable backend web01'
    - require:
      - salt: run_smoke_tests
