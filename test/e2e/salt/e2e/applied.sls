# What a step applies.
nothing:
  test.nop: []
