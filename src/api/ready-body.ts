/** A body that was made before, with the tag that stands for exactly these bytes. */
export interface ReadyBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** The same bytes compressed, made when first asked for. */
  readonly compressed: Map<string, Uint8Array<ArrayBuffer>>;
}

/** Made from the bytes alone: it changes when and only when they do, on every node and after every restart. */
export function etagOf(bytes: Uint8Array): string {
  return `"${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
}
