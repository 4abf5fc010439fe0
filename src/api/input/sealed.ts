import { createCipheriv, createDecipheriv, timingSafeEqual } from "node:crypto";

const tagBytes = 16;
const algorithm = "aes-256-ctr";

/** Most texts are shorter than this, a few much longer. */
const shortLength = 32;
const longStep = 256;

/**
 * Texts that a client carries for us and cannot read, change or use for another holder. The same text sealed for the same
 * holder is the same: answers that contain it can be compared. Spaces at its end are not part of it: it is filled up with
 * them, since its length would show how many digits its numbers have.
 *
 * The tag is a MAC of holder and text, and also what the encryption begins with, as in SIV.
 */
export class Seals {
  readonly #signing: Bun.CryptoHasher;
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#signing = new Bun.CryptoHasher("sha256", `tag ${secret}`);
    this.#key = new Bun.CryptoHasher("sha256").update(`encryption ${secret}`).digest();
  }

  seal(holder: string, text: string): string {
    const filled = text.padEnd(filledLength(text));
    const tag = this.#tag(holder, filled);
    const hidden = createCipheriv(algorithm, this.#key, tag).update(filled, "utf8");
    return Buffer.concat([tag, hidden]).toString("base64url");
  }

  /** Null for anything that was not sealed for this holder. */
  open(holder: string, sealed: string): string | null {
    const bytes = Buffer.from(sealed, "base64url");
    // Several texts decode to the same bytes; only ours is taken.
    if (bytes.length <= tagBytes || bytes.toString("base64url") !== sealed) return null;
    const tag = bytes.subarray(0, tagBytes);
    const text = createDecipheriv(algorithm, this.#key, tag).update(bytes.subarray(tagBytes)).toString("utf8");
    return timingSafeEqual(tag, this.#tag(holder, text)) ? text.trimEnd() : null;
  }

  #tag(holder: string, text: string): Buffer {
    return this.#signing.copy().update(`${holder}\0${text}`).digest().subarray(0, tagBytes);
  }
}

function filledLength({ length }: string): number {
  return length <= shortLength ? shortLength : Math.ceil(length / longStep) * longStep;
}
