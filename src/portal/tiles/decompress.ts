import { promisify } from "node:util";
import { brotliDecompress, constants, gunzip, type InputType, type ZlibOptions, zstdDecompress } from "node:zlib";
import { Compression } from "pmtiles";

/** Of a tile, uncompressed. Those of real archives have at most some 1 MB. */
export const maxTileBytes = 8 * 1024 * 1024;

type Inflate = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const inflaters: Readonly<Partial<Record<Compression, Inflate>>> = {
  [Compression.Gzip]: promisify(gunzip) as Inflate,
  [Compression.Brotli]: promisify(brotliDecompress) as Inflate,
  [Compression.Zstd]: inflateZstd,
};

/** Beside the event loop, and never more than `maxBytes`: a few KB may hold gigabytes. */
export async function decompressed(
  bytes: ArrayBuffer,
  compression: Compression,
  maxBytes: number,
): Promise<ArrayBuffer> {
  if (compression === Compression.Unknown || compression === Compression.None) {
    if (bytes.byteLength > maxBytes) throw tooLarge();
    return bytes;
  }
  const inflate = inflaters[compression];
  if (!inflate) throw new Error(`its compression ${compression} is not known`);
  try {
    return exact(await inflate(new Uint8Array(bytes), { maxOutputLength: maxBytes }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : new Error(`what it has compressed is damaged (${code})`);
  }
}

/** The same words whatever the size, so that the trouble is reported once. */
export function tooLarge(): Error {
  return new Error("a piece of it is too large");
}

/** A frame may ask for memory to look back in. We give it 8 MB, which is the largest usual window. */
const zstdParameters = { [constants.ZSTD_d_windowLogMax]: 23 };

const inflateWithin = promisify(zstdDecompress) as Inflate;

async function inflateZstd(bytes: InputType, options: ZlibOptions): Promise<Buffer> {
  await inflateWithin(bytes, { ...options, params: zstdParameters } as ZlibOptions);
  // Now we know that it is small. Only this one notices bytes that break off, but it knows no limit.
  return Bun.zstdDecompress(bytes as Uint8Array<ArrayBuffer>);
}

/** A buffer of Node may be a part of a larger one. */
function exact({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
