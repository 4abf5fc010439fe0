import { BoundedMap } from "../domain/bounded-map.ts";
import { noteTokenUse, workingIngestToken } from "../store/access/ingest-tokens.ts";
import type { Database } from "../store/database.ts";
import { hashCredential, isWellFormed } from "./credential.ts";

/** A token revoked elsewhere is noticed within this time. */
const cachedMs = 500;
/** The last use of a token is shown to people, who need not know it to the second. */
const noteUseMs = 60_000;
const maxRemembered = 10_000;

/** The account that a token belongs to, and which token it is. */
export interface IngestSender {
  readonly accountId: number;
  readonly tokenId: string;
}

interface Remembered extends IngestSender {
  lookedUpAt: number;
  notedAt: number;
}

export class IngestAuthenticator {
  readonly #database: Database;
  readonly #remembered = new BoundedMap<string, Remembered>({ max: maxRemembered });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Null for anything that is not one working token. `inQuery` is what the address holds. */
  async sender(headers: Headers, inQuery: string | null, now: number): Promise<IngestSender | null> {
    const secret = presentedToken(headers) ?? inQuery;
    if (secret === null) return null;
    const known = this.#remembered.get(secret);
    if (known && now >= known.lookedUpAt && now - known.lookedUpAt < cachedMs) return known;
    if (!isWellFormed("ingestToken", secret)) return null;
    const row = await workingIngestToken(this.#database, hashCredential(secret));
    if (row === null) {
      this.#remembered.delete(secret);
      return null;
    }
    const notedAt = known?.notedAt ?? Number.NEGATIVE_INFINITY;
    const remembered = { accountId: row.account_id, tokenId: row.id, lookedUpAt: now, notedAt };
    this.#remembered.set(secret, remembered);
    this.#noteUse(remembered, now);
    return remembered;
  }

  /** Nobody waits for this, nor fails because of it: while a token is in use, its next call notes it again. */
  #noteUse(remembered: Remembered, now: number): void {
    if (now - remembered.notedAt < noteUseMs) return;
    remembered.notedAt = now;
    this.#database
      .transaction((tx) => noteTokenUse(tx, remembered.tokenId, now))
      .catch(() => {
        remembered.notedAt = Number.NEGATIVE_INFINITY;
      });
  }
}

/** Senders without bearer tokens (OwnTracks, some loggers) send it as the password of basic authentication. */
function presentedToken(headers: Headers): string | null {
  const authorization = headers.get("authorization")?.trim();
  if (authorization === undefined) return null;
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^basic +([\w+/=-]+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return null;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(basic, "base64").toString("latin1")) ?? [];
  return password ?? null;
}
