import { timingSafeEqual } from "node:crypto";
import type { TimeWindow } from "../../domain/time/window.ts";

export interface CursorContent {
  readonly endpoint: string;
  readonly userId: string;
  /** The public id of the device that the list was narrowed to. */
  readonly deviceId: string | null;
  readonly window: TimeWindow | null;
  /** `from` as requested, if the window was clamped. */
  readonly askedFrom: number | null;
  readonly filters: Readonly<Record<string, string | number | boolean | null>>;
  readonly limit: number;
  readonly key: unknown;
}

const version = 1;
/** Of 43 characters: 132 bits. */
const macLength = 22;

/** Cursors are signed, so that their content need not be checked again and clients cannot build one. */
export class Cursors {
  /** The HMAC with the secret, before any text: copying it saves preparing it for each text. */
  readonly #signing: Bun.CryptoHasher;

  constructor(secret: string) {
    this.#signing = new Bun.CryptoHasher("sha256", secret);
  }

  encode(content: CursorContent): string {
    const payload = Buffer.from(JSON.stringify([version, content])).toString("base64url");
    return `${payload}.${this.#mac(payload)}`;
  }

  /** Null for anything that this service did not sign. */
  decode(text: string): CursorContent | null {
    const [payload, signature, ...rest] = text.split(".");
    if (!payload || !signature || rest.length > 0) return null;
    // Compared as text: two texts can encode the same bytes.
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.#mac(payload));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [signedVersion, content] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [
      number,
      CursorContent,
    ];
    return signedVersion === version ? content : null;
  }

  /** Of 12 characters: 72 bits. Whoever guesses one sees what they may see anyway, from another row on. */
  sign(text: string): string {
    return this.#signing.copy().update(`short ${text}`).digest("base64url").slice(0, 12);
  }

  #mac(payload: string): string {
    return this.#signing.copy().update(payload).digest("base64url").slice(0, macLength);
  }
}
