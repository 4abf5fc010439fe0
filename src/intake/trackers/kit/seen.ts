/**
 * What a framer remembers of a stream, so that it looks at no byte again and again: noise is skipped a little at a time, and each
 * time the framer is asked anew. It saves work and changes no answer: without it a framer finds the same.
 */
export class Seen {
  /** Where in the stream the bytes begin that the framer is given: what is remembered is remembered by its place in the stream. */
  offset = 0;
  #memory: unknown = null;

  /** What the framer itself remembers. One framer has one memory, which `begin` makes. */
  memory<T>(begin: () => T): T {
    this.#memory ??= begin();
    return this.#memory as T;
  }
}

/** Whether something that a framer looks for is at this place, as far as the bytes have come. */
export type IsMark = (bytes: Uint8Array, at: number) => boolean;

/** Marks that are gone are let go in one go: the list must not grow with the stream. */
const maxGone = 256;

/** Finds places that matter, such as ends of lines, and asks about each byte once. */
export class Marks {
  readonly #isMark: IsMark;
  readonly #lookAhead: number;
  /** In the stream, ascending. Those before `#searchedTo`, without those that are gone: they are before `#head`. */
  readonly #found: number[] = [];
  #head = 0;
  #searchedTo = 0;

  /** `lookAhead`: how many of the bytes behind a place decide, too. While they have not come, the place is asked about again. */
  constructor(isMark: IsMark, lookAhead = 0) {
    this.#isMark = isMark;
    this.#lookAhead = lookAhead;
  }

  /** The first mark from `from` on and before `to`; -1: there is none. `offset` is where in the stream `bytes` begin. */
  first(bytes: Uint8Array, offset: number, from: number, to = bytes.length): number {
    const known = this.#known(offset, offset + from);
    if (known !== undefined) return known - offset < to ? known - offset : -1;
    const decidedTo = bytes.length - this.#lookAhead;
    // What comes before `from` is looked at, too, so that all before `#searchedTo` is known.
    for (let at = Math.max(0, this.#searchedTo - offset); at < to; at++) {
      const isMark = this.#isMark(bytes, at);
      if (at < decidedTo) {
        this.#searchedTo = offset + at + 1;
        if (isMark) this.#found.push(offset + at);
      }
      if (isMark && at >= from) return at;
    }
    return -1;
  }

  /** The first that was found from there on. What is before `offset` is gone. */
  #known(offset: number, from: number): number | undefined {
    const found = this.#found;
    while (this.#head < found.length && (found[this.#head] ?? 0) < offset) this.#head++;
    if (this.#head > maxGone) {
      found.splice(0, this.#head);
      this.#head = 0;
    }
    // Mostly it is one of the first.
    let low = this.#head;
    while (low < this.#head + 2 && (found[low] ?? from) < from) low++;
    if (low < this.#head + 2) return found[low];
    let high = found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((found[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return found[low];
  }
}
