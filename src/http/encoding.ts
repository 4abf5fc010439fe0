import type { ReadyBody } from "./ready-body.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export type Encoding = "zstd" | "gzip" | null;

/** Below this the headers cost more than compression saves. */
const minBytes = 1024;

/** In our order of preference if the client has none: zstd is cheaper to make. */
const offered = ["zstd", "gzip"] as const;

/** The best encoding that the client accepts; null: uncompressed. */
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
  // Uncompressed only if the client explicitly prefers it.
  return bestQuality < (qualities.get("identity") ?? 0) ? null : best;
}

/** The body in that encoding, or null if it is not worth it. */
export function encode(bytes: Bytes, encoding: Encoding, level = 1): Bytes | null {
  if (encoding === null || bytes.byteLength < minBytes) return null;
  const encoded =
    encoding === "zstd" ? Bun.zstdCompressSync(bytes, { level }) : Bun.gzipSync(bytes, { level: level as 1 });
  return encoded.byteLength < bytes.byteLength ? (encoded as Bytes) : null;
}

/** The same for a ready body: compressed once, however often it is requested. */
export function encodeReady({ bytes, compressed, level }: ReadyBody, encoding: Encoding): Bytes | null {
  if (encoding === null) return null;
  const known = compressed.get(encoding);
  if (known) return known;
  const encoded = encode(bytes, encoding, level);
  if (encoded) compressed.set(encoding, encoded);
  return encoded;
}

/** For a streamed body. The library's types do not yet agree on the chunks of a byte stream. */
export function compressionStream(encoding: NonNullable<Encoding>) {
  return new CompressionStream(encoding) as ReadableWritablePair<Bytes, Uint8Array>;
}
