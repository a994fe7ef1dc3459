# Accepts instances of the fleet by what was verified of them.
{% if data['act'] == 'pend' and data.get('identity', {}).get('asg') == 'e2e-fleet' %}
accept_instance:
  wheel.key.accept:
    - match: {{ data['id'] }}
{% endif %}
