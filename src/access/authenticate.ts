import { BoundedMap } from "../domain/bounded-map.ts";
import type { Reader } from "../store/database.ts";
import { workingKey } from "../store/principals.ts";
import { hashCredential, isWellFormed } from "./credential.ts";
import { type Principal, toPrincipal } from "./principal.ts";

/**
 * How long a key that was looked up is believed to work. A key that is revoked, a user who is disabled or an account that
 * is suspended elsewhere is noticed within this time.
 */
const believedMs = 500;

/** More keys than this in use at once are looked up anew; the memory of the others stays bounded. */
const maxRemembered = 50_000;

interface Remembered {
  readonly principal: Principal;
  readonly lookedUpAt: number;
}

export class Authenticator {
  readonly #reader: Reader;
  /**
   * By the key itself: finding it again must not cost a hash at each call. The process has seen it in the request anyway,
   * and nothing of this map is ever shown.
   */
  readonly #remembered = new BoundedMap<string, Remembered>({ max: maxRemembered });

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The caller, or null for anything that is not one working key. */
  async principal(headers: Headers, now: number): Promise<Principal | null> {
    const secret = presentedKey(headers);
    if (secret === null) return null;
    const known = this.#believed(secret, now);
    if (known) return inForce(known, now);
    return isWellFormed("apiKey", secret) ? this.#lookUp(secret, now) : null;
  }

  /** The same without asking the store: null, too, for a key that was not looked up a moment ago. */
  known(headers: Headers, now: number): Principal | null {
    const secret = presentedKey(headers);
    const known = secret === null ? null : this.#believed(secret, now);
    return known && inForce(known, now);
  }

  /** Forgets what it knows: a key was revoked or changed on this node. */
  forget(): void {
    this.#remembered.clear();
  }

  #believed(secret: string, now: number): Principal | null {
    const known = this.#remembered.get(secret);
    return known && now - known.lookedUpAt < believedMs && now >= known.lookedUpAt ? known.principal : null;
  }

  async #lookUp(secret: string, now: number): Promise<Principal | null> {
    const row = await workingKey(this.#reader, hashCredential(secret));
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

/** The key of either header. Two different ones are no key at all: we cannot know which is meant. */
function presentedKey(headers: Headers): string | null {
  const plain = headers.get("x-api-key")?.trim() || null;
  const authorization = headers.get("authorization");
  if (authorization === null) return plain;
  // Another scheme may be a proxy's own business, as long as the key comes in its own header.
  if (!/^bearer\b/i.test(authorization.trim())) return plain;
  const bearer = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (bearer === undefined) return null;
  return plain === null || plain === bearer ? bearer : null;
}
