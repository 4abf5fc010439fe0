/** How often bytes were looked at. */
export interface Work {
  looks: number;
}

const byItself = ["length", "byteLength", "byteOffset", "buffer", "constructor"];

/**
 * The same bytes, but every look at one of them is counted: a test of how much work something is needs no clock, which a busy
 * machine makes run. More than `most` looks throw, so that a test that fails does so soon. What reads many at once, such as `indexOf`, counts for all that it may have read.
 */
export function countedBytes(bytes: Uint8Array, work: Work, most: number): Uint8Array {
  const count = (looks: number) => {
    work.looks += looks;
    if (work.looks > most) throw new Error(`more than ${most} looks at bytes`);
  };
  return new Proxy(bytes, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) {
        count(1);
        return target[Number(name)];
      }
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function" || byItself.includes(String(name))) {
        // The code that takes the buffer reads it: as a text, or as numbers.
        if (name === "buffer") count(target.length);
        return value;
      }
      if (name === "subarray")
        return (from?: number, to?: number) => countedBytes(target.subarray(from, to), work, most);
      return (...words: unknown[]) => {
        const result: unknown = value.apply(target, words);
        const from = typeof words[1] === "number" ? words[1] : 0;
        const found = name === "indexOf" && typeof result === "number" && result >= 0 ? result + 1 : target.length;
        count(Math.max(0, found - from));
        return result;
      };
    },
  });
}
