// `lipsum()`: filler text.
import { budgetError, MAX_TEXT } from './budget.ts'
import { type Datum, type Kwargs, truth } from './datum.ts'
import { asIndex } from './numbers.ts'
import type { Run } from './run.ts'
import { bind, parseSignature } from './signature.ts'
import { Markup } from './text-object.ts'

const WORDS =
  'a ac accumsan ad adipiscing aenean aliquam amet ante arcu at auctor augue bibendum blandit commodo condimentum congue consectetuer consequat cras cubilia cum curabitur dapibus diam dictum dignissim dis dolor donec dui egestas eget eleifend elit enim erat eros est et etiam eu euismod facilisi fames felis fermentum feugiat fringilla fusce gravida habitant hendrerit iaculis id imperdiet in integer interdum ipsum justo lacinia lacus laoreet lectus leo libero ligula lobortis lorem luctus maecenas magna malesuada massa mattis mauris metus mi molestie mollis montes morbi nam natoque nec neque netus nibh nisi nisl non nostra nulla nullam nunc odio orci ornare parturient pede pellentesque penatibus per pharetra placerat porta porttitor posuere praesent pretium primis proin pulvinar purus quam quis quisque rhoncus ridiculus risus rutrum sagittis sapien scelerisque sed sem semper senectus sit sociis sodales sollicitudin suscipit suspendisse taciti tellus tempor tempus tincidunt tortor tristique turpis ullamcorper ultrices ultricies urna ut varius vehicula vel velit venenatis vestibulum vitae vivamus viverra volutpat vulputate'.split(
    ' ',
  )
const SIGNATURE = parseSignature('generate_lorem_ipsum', 'n? html? min? max?')

/** Random paragraphs; needs randomness from the outside. */
export function lipsum(args: readonly Datum[], kwargs: Kwargs, run: Run): Datum {
  const [count = 5, html = true, min = 20, max = 100] = bind(SIGNATURE, args, kwargs).values
  const paragraphs = asIndex(count) ?? 5
  const least = asIndex(min) ?? 20
  const most = asIndex(max) ?? 100
  if (paragraphs * most * 12 > MAX_TEXT) throw budgetError('characters in one text', MAX_TEXT)
  const random = run.outside('random', 'lipsum')
  const made = Array.from({ length: Math.max(0, paragraphs) }, () => {
    const size = least + Math.floor(random() * Math.max(1, most - least))
    let start = true
    const words = Array.from({ length: size }, (_, index) => {
      const word = WORDS[Math.floor(random() * WORDS.length)] ?? 'lorem'
      const shown = start ? word.charAt(0).toUpperCase() + word.slice(1) : word
      const ends = index === size - 1 || random() < 0.08
      start = ends
      return ends ? `${shown}.` : random() < 0.1 ? `${shown},` : shown
    })
    return words.join(' ')
  })
  if (!truth(html)) return made.join('\n\n')
  return new Markup(made.map((paragraph) => `<p>${paragraph}</p>`).join('\n'))
}
