import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { dayMs } from "../domain/time/time.ts";
import { sharedSecret } from "../store/access/secrets.ts";
import type { Database } from "../store/database.ts";

/** A browser in which nobody signs in for this long is a stranger again. */
export const knownBrowserMs = 180 * dayMs;
/** People who share a browser. */
const maxProofs = 4;

const idBytes = 16;
const proofForm = /^([\w-]{22})\.([0-9a-z]{1,11})\.([\w-]{43})$/;

/** Whose browser it is. Null: there is no such user. */
type Owner = { readonly id: string; readonly password_hash: string | null } | null;

interface Proof {
  readonly text: string;
  readonly id: string;
  readonly madeAt: string;
  readonly mac: string;
}

/**
 * Proofs that someone has signed in with a browser before. A browser that has one does not share the attempts of strangers,
 * who could otherwise lock a user out by giving wrong passwords. A proof gives no access. It is signed with a secret that all
 * nodes share, and with the hash of the password, so it ends when the password is changed.
 */
export class KnownBrowsers {
  readonly #database: Database;
  #secret: Promise<string> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The id of the browser's proof for this user; null if it has none. Takes the same time for a user who does not exist. */
  async recognise(proofs: string, owner: Owner, now: number): Promise<string | null> {
    const secret = await this.#sharedSecret(now);
    const found = readProofs(proofs, now).filter(({ id, madeAt, mac }) => {
      const expected = Buffer.from(macOf(secret, owner, id, madeAt));
      return timingSafeEqual(Buffer.from(mac), expected) && owner?.password_hash;
    });
    return found[0]?.id ?? null;
  }

  /** The browser's proofs with a new one for this user, who has just given the right password. */
  async remember(proofs: string | null, owner: NonNullable<Owner>, now: number): Promise<string> {
    const secret = await this.#sharedSecret(now);
    const others = readProofs(proofs ?? "", now).filter(
      ({ id, madeAt, mac }) => mac !== macOf(secret, owner, id, madeAt),
    );
    const id = randomBytes(idBytes).toString("base64url");
    const madeAt = now.toString(36);
    const made = [id, madeAt, macOf(secret, owner, id, madeAt)].join(".");
    return [made, ...others.map(({ text }) => text)].slice(0, maxProofs).join("~");
  }

  #sharedSecret(now: number): Promise<string> {
    this.#secret ??= sharedSecret(this.#database, "known_browser_signing", now).catch((error) => {
      this.#secret = null;
      throw error;
    });
    return this.#secret;
  }
}

/** Those that could be proofs and are not too old. What a browser sends is not to be trusted. */
function readProofs(proofs: string, now: number): readonly Proof[] {
  return proofs
    .split("~", maxProofs)
    .map((text) => proofForm.exec(text))
    .flatMap((parts) => {
      const [text = "", id = "", madeAt = "", mac = ""] = parts ?? [];
      return parts !== null && now - Number.parseInt(madeAt, 36) < knownBrowserMs ? [{ text, id, madeAt, mac }] : [];
    });
}

function macOf(secret: string, owner: Owner, id: string, madeAt: string): string {
  const signed = JSON.stringify([owner?.id ?? null, owner?.password_hash ?? null, id, madeAt]);
  return createHmac("sha256", secret).update(signed).digest("base64url");
}
