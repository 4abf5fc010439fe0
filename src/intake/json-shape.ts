/** Below this even the worst JSON is parsed in a tenth of a second. */
const harmlessBytes = 1024 * 1024;

/** Frames and messages of other systems stay far below these. */
const maxDepth = 32;
const maxMembers = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Whether JSON, or lines of it, is safe to parse. A few compressed kilobytes can contain millions of empty objects:
 * parsed, they take a hundred times their bytes and delay all other requests. So large bodies are checked first, at a few
 * milliseconds per megabyte: how deeply they are nested, and how many members each array and object has. `maxItems` is
 * how many the outermost ones may have.
 */
export function isOrdinaryJson(bytes: Uint8Array, maxItems: number): boolean {
  if (bytes.length <= harmlessBytes) return true;
  const members = new Uint32Array(maxDepth + 1);
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) at = endOfString(bytes, at + 1);
    else if (byte === comma) {
      const count = (members[depth] ?? 0) + 1;
      members[depth] = count;
      // There are no commas between lines; a body that has some there is not JSON.
      if (count >= (depth <= 1 ? maxItems : maxMembers)) return false;
    } else if (opening.has(byte)) {
      if (++depth > maxDepth) return false;
      members[depth] = 0;
    } else if (closing.has(byte) && depth > 0) depth--;
  }
  return true;
}

/** Where the string's last quotation mark is, or the end. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
