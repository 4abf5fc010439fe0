/** A body that was made before. */
export interface ReadyBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The tag that stands for exactly these bytes, uncompressed; null where the answer carries none. */
  readonly etag: string | null;
  /** The same bytes compressed, made when first asked for. */
  readonly compressed: Map<string, Uint8Array<ArrayBuffer>>;
}

export interface TaggedBody extends ReadyBody {
  readonly etag: string;
}

/** Made from the bytes alone: it changes when and only when they do, on every node and after every restart. */
export function etagOf(bytes: Uint8Array): string {
  return `"${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}
