const encoder = new TextEncoder();

const wordBytes = 8;

/**
 * A text whose UTF-8 is known beforehand, cut into words of eight bytes: copying it costs one store for each. A word is
 * read as a double because that is the widest thing JavaScript stores without an object. No bits are lost: a double
 * that could change on the way is NaN, and NaN begins with the byte 7f or ff, which are a control character and no
 * UTF-8 at all.
 */
export class Literal {
  readonly words: Float64Array;
  /** In bytes; the last word may reach beyond it. */
  readonly length: number;

  constructor(text: string) {
    const bytes = encoder.encode(text);
    const padded = new Uint8Array(Math.ceil(bytes.length / wordBytes) * wordBytes);
    padded.set(bytes);
    // Every machine that Bun runs on has the lowest byte first.
    this.words = new Float64Array(padded.buffer);
    this.length = bytes.length;
  }
}

/** Writes a literal at a place and returns the place after it. Up to seven bytes after that are overwritten. */
export function writeLiteral(view: DataView, at: number, literal: Literal): number {
  const words = literal.words;
  let place = at;
  for (let index = 0; index < words.length; index++) {
    view.setFloat64(place, words[index] as number, true);
    place = (place + wordBytes) | 0;
  }
  return (at + literal.length) | 0;
}
