import type { ReadyBody } from "./ready-body.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export type Encoding = "zstd" | "gzip" | null;

/** Below this the headers weigh more than what is saved. */
const minBytes = 1024;

/** In the order of preference where the client has none: zstd is the cheaper to make. */
const offered = ["zstd", "gzip"] as const;

/** The best encoding that the client takes; null: as it is. */
export function chooseEncoding(acceptEncoding: string | null): Encoding {
  if (acceptEncoding === null) return null;
  const qualities = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
    const quality = Number(parameters.find((word) => word.startsWith("q="))?.slice(2) ?? 1);
    qualities.set(name === "x-gzip" ? "gzip" : name, quality);
  }
  let best: Encoding = null;
  let bestQuality = 0;
  for (const encoding of offered) {
    const quality = qualities.get(encoding) ?? qualities.get("*") ?? 0;
    if (quality > bestQuality) [best, bestQuality] = [encoding, quality];
  }
  // Only who says so would rather have it as it is.
  return bestQuality < (qualities.get("identity") ?? 0) ? null : best;
}

/** The body in that encoding, or null if it does not pay. */
export function encode(bytes: Bytes, encoding: Encoding, level = 1): Bytes | null {
  if (encoding === null || bytes.byteLength < minBytes) return null;
  const packed =
    encoding === "zstd" ? Bun.zstdCompressSync(bytes, { level }) : Bun.gzipSync(bytes, { level: level as 1 });
  return packed.byteLength < bytes.byteLength ? (packed as Bytes) : null;
}

/** The same for a body that was made before: compressed once, however often it is asked for. */
export function encodeReady({ bytes, compressed, level }: ReadyBody, encoding: Encoding): Bytes | null {
  if (encoding === null) return null;
  const known = compressed.get(encoding);
  if (known) return known;
  const packed = encode(bytes, encoding, level);
  if (packed) compressed.set(encoding, packed);
  return packed;
}

/** For a body that is made while it is sent. The library's types do not agree yet on what a stream of bytes is made of. */
export function compressionStream(encoding: NonNullable<Encoding>) {
  return new CompressionStream(encoding) as ReadableWritablePair<Bytes, Uint8Array>;
}
