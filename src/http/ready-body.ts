export interface ReadyBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same, for a Response: bytes it would copy each time, which takes longer than the rest of a page that is cached. */
  readonly blob: Blob;
  /** The tag of exactly these bytes, uncompressed; null if the answer has none. */
  readonly etag: string | null;
  /** The same bytes compressed, made at the first request. */
  readonly compressed: Map<string, Uint8Array<ArrayBuffer>>;
  /** The compression level: a popular body is worth more effort, but nobody else is answered meanwhile. */
  readonly level?: number;
}

export function isReadyBody(body: object | string): body is ReadyBody {
  return typeof body !== "string" && "etag" in body;
}

export function readyBody(bytes: Uint8Array<ArrayBuffer>, etag: string | null, level = 1): ReadyBody {
  return { bytes, blob: new Blob([bytes]), etag, compressed: new Map(), level };
}

/** The tag is made from the bytes, and from `besides`: what the answer says only in its headers. */
export function taggedBody(bytes: Uint8Array<ArrayBuffer>, level = 1, besides = ""): ReadyBody {
  return readyBody(bytes, etagOf(bytes, besides), level);
}

export function etagOf(content: Uint8Array<ArrayBuffer> | string, besides = ""): string {
  return `"${new Bun.CryptoHasher("sha256").update(content).update(besides).digest("base64url").slice(0, 22)}"`;
}
