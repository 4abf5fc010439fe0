import { BoundedMap } from "../domain/bounded-map.ts";
import { type PrincipalRow, workingKey, workingKeys } from "../store/access/api-keys.ts";
import { isEmbedded, type Reader } from "../store/database.ts";
import { SharedStatement } from "../store/shared-statement.ts";
import { hashCredential, isWellFormed } from "./credential.ts";
import { type Principal, toPrincipal } from "./principal.ts";

/**
 * How long a looked-up key is believed to work. A key revoked, a user disabled or an account suspended elsewhere is
 * noticed within this time.
 */
const cachedMs = 500;

/** Bounds the memory. If more keys are in use at once, some are looked up again. */
const maxRemembered = 50_000;

/** So many look-ups share one statement. */
const maxLookedUp = 100;

interface Remembered {
  readonly principal: Principal;
  readonly lookedUpAt: number;
}

export class Authenticator {
  readonly #rowOf: (secretHash: string) => Promise<PrincipalRow | null>;
  /** By the key itself, since hashing it at each call would cost too much. Nothing of this map is ever shown. */
  readonly #remembered = new BoundedMap<string, Remembered>({ max: maxRemembered });

  constructor(reader: Reader) {
    const shared = new SharedStatement<string, PrincipalRow | null>({
      max: maxLookedUp,
      run: (secretHashes) => workingKeys(reader, secretHashes),
    });
    this.#rowOf = (secretHash) => (isEmbedded(reader) ? workingKey(reader, secretHash) : shared.ask(secretHash));
  }

  /** The caller, or null for anything that is not one working key. */
  async principal(headers: Headers, now: number): Promise<Principal | null> {
    const secret = presentedKey(headers);
    if (secret === null) return null;
    const known = this.#cached(secret, now);
    if (known) return inForce(known, now);
    return isWellFormed("apiKey", secret) ? this.#lookUp(secret, now) : null;
  }

  /** The same without reading the store: also null for a key that was not looked up recently. */
  known(headers: Headers, now: number): Principal | null {
    const secret = presentedKey(headers);
    const known = secret === null ? null : this.#cached(secret, now);
    return known && inForce(known, now);
  }

  /** The caller as the store knows it now, whatever is remembered: for an answer that takes long to read. */
  async lookUpAgain(headers: Headers, now: number): Promise<Principal | null> {
    const secret = presentedKey(headers);
    return secret !== null && isWellFormed("apiKey", secret) ? this.#lookUp(secret, now) : null;
  }

  /** Forgets all keys, because one was revoked or changed on this node. */
  forget(): void {
    this.#remembered.clear();
  }

  #cached(secret: string, now: number): Principal | null {
    const known = this.#remembered.get(secret);
    return known && now - known.lookedUpAt < cachedMs && now >= known.lookedUpAt ? known.principal : null;
  }

  async #lookUp(secret: string, now: number): Promise<Principal | null> {
    const row = await this.#rowOf(hashCredential(secret));
    this.#remembered.delete(secret);
    if (!row) return null;
    const principal = toPrincipal(row);
    this.#remembered.set(secret, { principal, lookedUpAt: now });
    return inForce(principal, now);
  }
}

function inForce(principal: Principal, now: number): Principal | null {
  return principal.expiresAt !== null && principal.expiresAt <= now ? null : principal;
}

/** The key of either header. Two different keys count as none, since we cannot know which one was meant. */
function presentedKey(headers: Headers): string | null {
  const plain = headers.get("x-api-key")?.trim() || null;
  const authorization = headers.get("authorization");
  if (authorization === null) return plain;
  // Another scheme may belong to a proxy, as long as the key comes in its own header.
  if (!/^bearer\b/i.test(authorization.trim())) return plain;
  const bearer = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (bearer === undefined) return null;
  return plain === null || plain === bearer ? bearer : null;
}
