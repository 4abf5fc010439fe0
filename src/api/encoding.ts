import type { ReadyBody } from "./route.ts";

export type Encoding = "zstd" | "gzip" | null;

/** Below this the headers weigh more than what is saved. */
const leastBytes = 1024;

/** The best encoding that the client takes; null: as it is. */
export function chooseEncoding(acceptEncoding: string | null): Encoding {
  if (acceptEncoding === null) return null;
  let best: { encoding: Encoding; quality: number } = { encoding: null, quality: 0 };
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
    const encoding = name === "zstd" || name === "*" ? "zstd" : name === "gzip" || name === "x-gzip" ? "gzip" : null;
    if (encoding === null) continue;
    const quality = Number(parameters.find((word) => word.startsWith("q="))?.slice(2) ?? 1);
    // Of two that are equally welcome zstd is the cheaper to make.
    if (quality > best.quality || (quality === best.quality && quality > 0 && encoding === "zstd")) {
      best = { encoding, quality };
    }
  }
  return best.encoding;
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
