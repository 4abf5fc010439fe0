import { type AttemptRules, Attempts } from "../access/attempts.ts";
import type { HashQueue } from "../access/hash-queue.ts";
import { KnownBrowsers } from "../access/known-browsers.ts";
import { findLink, useLink } from "../access/one-time-links.ts";
import { hashPassword } from "../access/passwords.ts";
import { startSession } from "../access/sessions.ts";
import type { SignedIn, Throttled } from "../access/sign-in.ts";
import { addFirstAccount, type FirstAccount, firstAccountLines } from "../fleet/edit/first-account.ts";
import { removeUnusedLinks } from "../store/access/one-time-links.ts";
import { noteSignIn } from "../store/access/sign-ins.ts";
import type { Database } from "../store/database.ts";
import { hasAccounts } from "../store/fleet/accounts.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";

const purposes = ["setup"] as const;

/** A link cannot be guessed; this only keeps somebody who tries from keeping the store busy. */
const rules: AttemptRules = {
  perEmail: { burst: 20, refillMs: 10_000 },
  perAddress: { burst: 20, refillMs: 10_000 },
};

interface SetupRequest {
  readonly token: string;
  readonly entered: FirstAccount;
  readonly address: string;
  readonly oldToken: string | null;
  readonly browserProofs: string | null;
  readonly browser: string | null;
  readonly signal: AbortSignal;
}

/**
 * The first run of a server: whoever has the link that it printed makes the first account. Once there is an account, no
 * link does anything any more.
 */
export class FirstRun {
  readonly #database: Database;
  readonly #browsers: KnownBrowsers;
  readonly #hashes: HashQueue;
  readonly #attempts = new Attempts(rules);

  constructor(database: Database, hashes: HashQueue) {
    this.#database = database;
    this.#hashes = hashes;
    this.#browsers = new KnownBrowsers(database);
  }

  /** Whether there is no account yet. */
  async isNeeded(): Promise<boolean> {
    return !(await hasAccounts(this.#database));
  }

  /** Whether the link still works. */
  async isOpen(token: string, address: string, now: number): Promise<boolean | Throttled> {
    const { waitMs } = this.#attempts.take({ address }, now);
    if (waitMs > 0) return { outcome: "throttled", waitMs };
    const look = async () => (await findLink(this.#database, token, purposes, now)) !== null && (await this.isNeeded());
    return this.#attempts.settle({ address }, now, look, (isOpen) => isOpen);
  }

  /** Makes the account and its owner, and signs in. "wrong": the link does not work, or there is an account already. */
  async run({ token, entered, ...from }: SetupRequest, now: number): Promise<SignedIn> {
    const { address, oldToken, browserProofs, browser, signal } = from;
    const isOpen = await this.isOpen(token, address, now);
    if (isOpen === false) return { outcome: "wrong" };
    if (isOpen !== true) return isOpen;
    const lines = await firstAccountLines(entered);
    // Hashing is slow on purpose, so it happens outside the transaction.
    const caller = { source: "first run", isKnown: true, signal };
    const hash = await this.#hashes.run(caller, () => hashPassword(entered.password));
    const session = await this.#database.transaction(async (tx) => {
      await tx.lock("fleet");
      const link = await useLink(tx, token, purposes, now);
      // Two links at once, or a fleet file: who comes second finds an account.
      if (link === null || (await hasAccounts(tx))) return null;
      await removeUnusedLinks(tx, null);
      const accountNumber = await addFirstAccount(tx, lines, hash, now);
      const by = { kind: "user", id: lines.ownerId } as const;
      const details = { purpose: "setup" };
      await addAuditEntries(tx, accountNumber, [{ by, action: "link.used", id: lines.ownerId, details }], now);
      await noteSignIn(tx, lines.ownerId, { passwordHash: hash }, now);
      const owner = { account_id: accountNumber, user_id: lines.ownerId };
      return startSession(tx, owner, { via: "link", browser, oldToken }, now);
    });
    if (session === null) return { outcome: "wrong" };
    const owner = { id: lines.ownerId, password_hash: hash };
    const proofs = await this.#browsers.remember(browserProofs, owner, now);
    return { outcome: "signed in", token: session, browserProofs: proofs };
  }
}
