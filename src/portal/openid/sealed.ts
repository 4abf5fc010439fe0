import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { sharedSecret } from "../../store/access/secrets.ts";
import type { Database } from "../../store/database.ts";
import type { PendingSignIn } from "./provider.ts";

/** Long enough to find the telephone with the second factor. */
export const pendingMs = 15 * 60_000;

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

interface Remembered extends PendingSignIn {
  /** Where the person wanted to go, below /portal. */
  readonly next: string | null;
}

const content = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  next: z.string().nullable(),
  until: z.number(),
});

/**
 * A sign-in on its way, sealed for the browser that began it: it can neither read nor change it, and every node can open
 * it. Nothing of it is stored here.
 */
export class SealedSignIns {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async seal(remembered: Remembered, now: number): Promise<string> {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, await this.#key(now), iv);
    const text = JSON.stringify({ ...remembered, until: now + pendingMs });
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
  }

  /** Null for what was not sealed here, or too long ago. */
  async open(sealed: string, now: number): Promise<Remembered | null> {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length <= ivBytes + tagBytes) return null;
    const decipher = createDecipheriv(algorithm, await this.#key(now), bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
      const { until, ...remembered } = content.parse(JSON.parse(text.toString("utf8")));
      return now < until ? remembered : null;
    } catch {
      return null;
    }
  }

  async #key(now: number): Promise<Buffer> {
    const secret = await sharedSecret(this.#database, "openid_sign_in", now);
    return createHash("sha256").update(secret).digest();
  }
}
