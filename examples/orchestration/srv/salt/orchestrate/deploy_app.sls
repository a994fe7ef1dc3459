# Started by the reactor beside it; tells the event it was started for.
tell_what_happened:
  test.show_notification:
    - text: '{{ pillar.event_tag }} with {{ pillar.event_data.bar }}'
