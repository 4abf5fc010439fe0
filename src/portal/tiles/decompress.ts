import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Compression, readVarint } from "pmtiles";

/** Far more than any directory or tile of a real archive. */
const maxOutputLength = 64 * 1024 * 1024;

/** Fewer bytes than these cannot hold an entry of a directory: it has four numbers. */
const leastEntryBytes = 4;

export function decompressed(bytes: ArrayBuffer, compression: Compression): ArrayBuffer {
  switch (compression) {
    case Compression.Unknown:
    case Compression.None:
      return bytes;
    case Compression.Gzip:
      return exact(gunzipSync(bytes, { maxOutputLength }));
    case Compression.Brotli:
      return exact(brotliDecompressSync(bytes, { maxOutputLength }));
    case Compression.Zstd:
      return exact(Bun.zstdDecompressSync(bytes));
    default:
      throw new Error(`its compression ${compression} is not known`);
  }
}

/** A directory says how many entries it has. The reader believes it, so we check first: it would never come to an end. */
export async function decompressedDirectory(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  const directory = decompressed(bytes, compression);
  const entries = readVarint({ buf: new Uint8Array(directory), pos: 0 });
  if (!(entries * leastEntryBytes <= directory.byteLength)) throw new Error("a directory in it is damaged");
  return directory;
}

/** A buffer of Node may be a part of a larger one. */
function exact({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
