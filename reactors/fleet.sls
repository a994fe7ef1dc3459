{# What was verified of an instance stands in data['identity'], and nothing else does: a name can be made up, a group not. #}
{% set group = data.get('identity', {}).get('asg', '') %}
{% if data['act'] == 'pend' and group.startswith('web-asg') %}
accept_instance:
  wheel.key.accept:
    - match: {{ data['id'] }}
{% endif %}
