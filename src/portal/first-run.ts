import { Attempts, linkAttempts, type Throttled } from "../access/attempts.ts";
import type { HashQueue } from "../access/hash-queue.ts";
import { KnownBrowsers } from "../access/known-browsers.ts";
import { findLink, useLink } from "../access/one-time-links.ts";
import { hashPassword } from "../access/passwords.ts";
import { startSession } from "../access/sessions.ts";
import type { BrowserRequest, SignInOutcome } from "../access/sign-in.ts";
import { addFirstAccount, type FirstAccount, firstAccountLines } from "../fleet/edit/first-account.ts";
import { removeUnusedLinks } from "../store/access/one-time-links.ts";
import { noteSignIn } from "../store/access/sign-ins.ts";
import type { Database } from "../store/database.ts";
import { hasAccounts } from "../store/fleet/accounts.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";

const purposes = ["setup"] as const;

interface SetupRequest extends BrowserRequest {
  readonly token: string;
  readonly entered: FirstAccount;
}

/**
 * The first run of a server: the holder of the link that it printed makes the first account. Once there is an account, no
 * link does anything any more.
 */
export class FirstRun {
  readonly #database: Database;
  readonly #browsers: KnownBrowsers;
  readonly #hashes: HashQueue;
  readonly #attempts = new Attempts(linkAttempts);

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
  isOpen(token: string, address: string, now: number): Promise<boolean | Throttled> {
    const look = async () => (await findLink(this.#database, token, purposes, now)) !== null && (await this.isNeeded());
    return this.#attempts.attempt({ address }, now, look, (isOpen) => isOpen);
  }

  /** Makes the account and its owner, and signs in. "wrong": the link does not work, or there is an account already. */
  async run({ token, entered, ...from }: SetupRequest, now: number): Promise<SignInOutcome> {
    const { address, oldToken, browserProofs, browser, language, signal } = from;
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
      return startSession(tx, owner, { via: "link", browser, oldToken, language }, now);
    });
    if (session === null) return { outcome: "wrong" };
    const owner = { id: lines.ownerId, password_hash: hash };
    const proofs = await this.#browsers.remember(browserProofs, owner, now);
    return { outcome: "signed in", token: session, browserProofs: proofs };
  }
}
