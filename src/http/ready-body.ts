/** A body that was made before. */
export interface ReadyBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The tag of exactly these bytes, uncompressed; null where the answer carries none. */
  readonly etag: string | null;
  /** The same bytes compressed, made when first asked for. */
  readonly compressed: Map<string, Uint8Array<ArrayBuffer>>;
  /** How hard it is compressed: what many will ask for is worth more effort, but nobody else is answered meanwhile. */
  readonly level?: number;
}

export function isReadyBody(body: object | string): body is ReadyBody {
  return typeof body !== "string" && "etag" in body;
}

/** A body with a tag that is made from the bytes alone: it changes when and only when they do, on every node. */
export function taggedBody(bytes: Uint8Array<ArrayBuffer>, level = 1): ReadyBody {
  const etag = `"${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { bytes, etag, compressed: new Map(), level };
}
