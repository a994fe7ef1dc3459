// How many jobs run, and how many begin, at a time.

/** A job that runs longer than this no longer keeps others from beginning. Milliseconds. */
const beginning = 250

/** How many begin at a time: a crash interrupts no more short jobs than this, the others wait in the mailbox. */
const beginners = 16

/** Lets `most` run at a time (any number below 1), of which few are in their beginning; the rest waits in order. */
export class Slots {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0
  #beginning = 0

  constructor(most: number) {
    this.#most = most >= 1 ? most : Number.POSITIVE_INFINITY
  }

  /** Runs the work as soon as there is a slot. */
  async use(work: () => Promise<void>): Promise<void> {
    if (!this.#free()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#enter()
    let begins = true
    const begun = (): void => {
      if (!begins) return
      begins = false
      this.#beginning--
      this.#next()
    }
    const timer = setTimeout(begun, beginning)
    try {
      await work()
    } finally {
      clearTimeout(timer)
      this.#running--
      begun()
      this.#next()
    }
  }

  #free(): boolean {
    return this.#running < this.#most && this.#beginning < beginners
  }

  #enter(): void {
    this.#running++
    this.#beginning++
  }

  /** The slot is taken for the one that waits, before anybody else can take it. */
  #next(): void {
    while (this.#free()) {
      const wake = this.#waiting.shift()
      if (wake === undefined) return
      this.#enter()
      wake()
    }
  }
}
