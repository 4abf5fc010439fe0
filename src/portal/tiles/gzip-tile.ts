import { tooLarge } from "./decompress.ts";

/** Of a tile, uncompressed. Those of real archives have at most some 1 MB. */
export const maxTileBytes = 8 * 1024 * 1024;

/** Its head, at least one block, and at its end a checksum and the length of what it holds. */
const leastBytes = 18;
const headBytes: readonly number[] = [0x1f, 0x8b, 8];

/** A tile to be sent as the archive has it. To inflate each would cost more than it is worth, so only its ends are checked. */
export function gzipAsItIs(data: ArrayBuffer): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data);
  const isGzip = bytes.length >= leastBytes && headBytes.every((byte, index) => bytes[index] === byte);
  if (!isGzip) throw new Error("a tile in it is damaged");
  if (new DataView(data).getUint32(bytes.length - 4, true) > maxTileBytes) throw tooLarge();
  return bytes;
}
