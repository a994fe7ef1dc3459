// What a text has between stars: pieces that follow each other.

/**
 * Whether a text begins with the first piece, ends with the last and has the others in between, in their order and without
 * overlap. A single piece is the whole text.
 */
export function piecesMatcher(pieces: readonly string[]): (text: string) => boolean {
  const [head = '', ...rest] = pieces
  const tail = rest.pop()
  if (tail === undefined) return (text) => text === head
  const shortest = head.length + tail.length
  if (rest.length === 0) return (text) => text.length >= shortest && text.startsWith(head) && text.endsWith(tail)
  return (text) => {
    if (text.length < shortest || !text.startsWith(head) || !text.endsWith(tail)) return false
    let at = head.length
    for (const piece of rest) {
      const found = text.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return at <= text.length - tail.length
  }
}
