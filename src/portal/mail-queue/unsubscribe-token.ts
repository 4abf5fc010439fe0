import { createHmac, timingSafeEqual } from "node:crypto";
import { sharedSecret } from "../../store/access/secrets.ts";
import type { Database } from "../../store/database.ts";

/** Who stops which mails. */
export interface Unsubscription {
  readonly userId: string;
  readonly choiceId: string;
}

/** The address in every mail. A `GET` shows the page, which asks first; a program that fetches links ends nothing by it. */
export const unsubscribePath = "/portal/unsubscribe";

const idBytes = 16;
const signatureBytes = 16;

/**
 * The secret of the link in a mail: it names a person and a choice, and is signed, so that nobody can make one for another.
 * It works as long as the choice is there, and does nothing but to end it.
 */
export class UnsubscribeTokens {
  readonly #database: Database;
  #key: Promise<string> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  async sign({ userId, choiceId }: Unsubscription): Promise<string> {
    const ids = Buffer.from((userId + choiceId).replaceAll("-", ""), "hex");
    return Buffer.concat([ids, await this.#signature(ids)]).toString("base64url");
  }

  /** Null for a text that was not signed here. */
  async read(token: string): Promise<Unsubscription | null> {
    const bytes = Buffer.from(token, "base64url");
    if (bytes.length !== 2 * idBytes + signatureBytes) return null;
    const ids = bytes.subarray(0, 2 * idBytes);
    if (!timingSafeEqual(bytes.subarray(2 * idBytes), await this.#signature(ids))) return null;
    return { userId: uuidOf(ids.subarray(0, idBytes)), choiceId: uuidOf(ids.subarray(idBytes)) };
  }

  async #signature(ids: Buffer): Promise<Buffer> {
    this.#key ??= sharedSecret(this.#database, "unsubscribe_signing", Date.now());
    // A store that did not answer is asked again.
    this.#key.catch(() => {
      this.#key = null;
    });
    return createHmac("sha256", await this.#key)
      .update("unsubscribe")
      .update(ids)
      .digest()
      .subarray(0, signatureBytes);
  }
}

/** What the mail program and the person open. `publicUrl` has no slash at its end. */
export async function unsubscribeUrl(
  { publicUrl, tokens }: { readonly publicUrl: string; readonly tokens: UnsubscribeTokens },
  whose: Unsubscription,
): Promise<string> {
  return `${publicUrl}${unsubscribePath}?t=${await tokens.sign(whose)}`;
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
