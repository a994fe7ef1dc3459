# A runner of the user's own.
restock:
  runner.shop.restock:
    - args:
      - item: {{ data['item'] }}
      - by: 3
