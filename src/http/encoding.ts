import type { ReadyBody } from "./ready-body.ts";

export type Encoding = "zstd" | "gzip" | null;

/** Below this the headers weigh more than what is saved. */
const leastBytes = 1024;

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
export function encode(bytes: Uint8Array<ArrayBuffer>, encoding: Encoding): Uint8Array<ArrayBuffer> | null {
  if (encoding === null || bytes.byteLength < leastBytes) return null;
  const packed = encoding === "zstd" ? Bun.zstdCompressSync(bytes, { level: 1 }) : Bun.gzipSync(bytes, { level: 1 });
  return packed.byteLength < bytes.byteLength ? (packed as Uint8Array<ArrayBuffer>) : null;
}

/** The same for a body that is kept: compressed once, however often it is asked for. */
export function encodeReady(body: ReadyBody, encoding: Encoding): Uint8Array<ArrayBuffer> | null {
  if (encoding === null) return null;
  const kept = body.compressed.get(encoding);
  if (kept) return kept;
  const packed = encode(body.bytes, encoding);
  if (packed) body.compressed.set(encoding, packed);
  return packed;
}
