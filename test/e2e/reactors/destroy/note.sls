# Notes the end of an instance.
noted:
  runner.event.send:
    - args:
      - tag: e2e/destroyed
      - data:
          instance: {{ data['instance_id'] }}
          name: {{ data['name'] }}
