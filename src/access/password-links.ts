import type { Actor } from "../domain/audit.ts";
import { removeUnusedLinks } from "../store/access/one-time-links.ts";
import { endSessions } from "../store/access/sessions.ts";
import { type LinkedUser, linkedUser, setPassword } from "../store/access/sign-ins.ts";
import type { Database, Transaction } from "../store/database.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { type AttemptRules, Attempts, linkAttempts, type Throttled } from "./attempts.ts";
import { findConfirmation, noteConfirmed, useConfirmation } from "./email-confirmations.ts";
import type { HashQueue } from "./hash-queue.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { mailboxKey } from "./mailbox.ts";
import { createLink, createUselessLink, findLink, type NewLink, useLink } from "./one-time-links.ts";
import { hashPassword } from "./passwords.ts";
import { startSession } from "./sessions.ts";
import { type BrowserRequest, isRight, notePasswordChange, type SignInOutcome } from "./sign-in.ts";

/** Nobody's mailbox is filled: three mails at once, then three an hour. Several people may share an address. */
const requestRules: AttemptRules = {
  perEmail: { burst: 3, refillMs: 20 * 60_000 },
  perAddress: { burst: 10, refillMs: 60_000 },
};

const purposes = ["invitation", "reset"] as const;

export interface LinkOwner extends LinkedUser {
  readonly purpose: PasswordPurpose | "confirmation";
  readonly expiresAt: number;
}

interface LinkUse extends BrowserRequest {
  readonly token: string;
  readonly password: string;
}

/**
 * Links with which a user chooses a password and is signed in, or confirms an address. A link that is wrong, used or expired, or whose user is
 * disabled, gets the same answer.
 */
export class PasswordLinks {
  readonly #database: Database;
  readonly #browsers: KnownBrowsers;
  readonly #hashes: HashQueue;
  readonly #attempts = new Attempts(linkAttempts);
  readonly #requests = new Attempts(requestRules);

  constructor(database: Database, hashes: HashQueue) {
    this.#database = database;
    this.#hashes = hashes;
    this.#browsers = new KnownBrowsers(database);
  }

  /**
   * A link by mail is asked for. Mailboxes are counted, those of strangers like any other, so that a refusal reveals
   * nothing.
   */
  takeRequest(email: string, address: string, now: number): { readonly waitMs: number } {
    return this.#requests.take({ email: mailboxKey(email), address }, now);
  }

  /** Whom the link is for. Null: nobody, or nobody any more. */
  find(token: string, address: string, now: number): Promise<LinkOwner | Throttled | null> {
    const isRight = (owner: LinkOwner | null) => owner !== null;
    return this.#attempts.attempt({ address }, now, () => this.#find(token, now), isRight);
  }

  async #find(token: string, now: number): Promise<LinkOwner | null> {
    const link = await findLink(this.#database, token, purposes, now);
    if (link === null) return this.#findConfirmation(token, now);
    const user = link.user_id === null ? null : await linkedUser(this.#database, link.user_id);
    if (user === null) return null;
    return { ...user, purpose: link.purpose === "invitation" ? "invitation" : "reset", expiresAt: link.expires_at };
  }

  async #findConfirmation(token: string, now: number): Promise<LinkOwner | null> {
    const found = await findConfirmation(this.#database, token, now);
    const user = found === null ? null : await linkedUser(this.#database, found.user.id);
    return found === null || user === null ? null : { ...user, purpose: "confirmation", expiresAt: found.expiresAt };
  }

  /** Confirms the address that the link was mailed to. Null: it confirms nothing any more. */
  confirm(token: string, address: string, now: number): Promise<true | Throttled | null> {
    const use = async () => (await useConfirmation(this.#database, token, now)) || null;
    return this.#attempts.attempt({ address }, now, use, (isGood) => isGood !== null);
  }

  /** Sets the password, ends all sessions of the user, and starts a new one. */
  use(request: LinkUse, now: number): Promise<SignInOutcome> {
    return this.#attempts.attempt({ address: request.address }, now, () => this.#use(request, now), isRight);
  }

  async #use(request: LinkUse, now: number): Promise<SignInOutcome> {
    const { token, password, oldToken, browserProofs, browser, language, signal } = request;
    // A guess must not cost us a slow hash.
    const found = await findLink(this.#database, token, purposes, now);
    if (found === null) return { outcome: "wrong" };
    const caller = { source: found.user_id ?? "", isKnown: true, signal };
    const hash = await this.#hashes.run(caller, () => hashPassword(password));
    const done = await this.#database
      .transaction(async (tx) => {
        const link = await useLink(tx, token, purposes, now);
        if (link?.user_id == null || link.account_id === null) return null;
        const user = { account_id: link.account_id, user_id: link.user_id };
        // If the user was disabled meanwhile, the link stays as it is.
        if (!(await setPassword(tx, user.user_id, hash, now))) throw new NotAnyMore();
        await removeUnusedLinks(tx, user.user_id);
        await endSessions(tx, user, null);
        const by = { kind: "user", id: user.user_id } as const;
        const details = { purpose: link.purpose };
        // Nobody but the reader of that mailbox can have it.
        if (link.mailed_to !== null) {
          const mailed = { id: user.user_id, account_id: user.account_id, email: link.mailed_to };
          await noteConfirmed(tx, mailed, { by, via: "link" }, now);
        }
        await addAuditEntries(tx, user.account_id, [{ by, action: "link.used", id: user.user_id, details }], now);
        await notePasswordChange(tx, user.account_id, user.user_id, now);
        const started = { via: "link", browser, oldToken, language } as const;
        return { user, token: await startSession(tx, user, started, now) };
      })
      .catch((error) => {
        if (error instanceof NotAnyMore) return null;
        throw error;
      });
    if (done === null) return { outcome: "wrong" };
    const owner = { id: done.user.user_id, password_hash: hash };
    const proofs = await this.#browsers.remember(browserProofs, owner, now);
    return { outcome: "signed in", token: done.token, browserProofs: proofs };
  }
}

class NotAnyMore extends Error {}

export interface LinkUser {
  readonly id: string;
  readonly account_id: number;
}

export type PasswordPurpose = (typeof purposes)[number];

export interface PasswordLink extends NewLink {
  readonly purpose: PasswordPurpose;
}

/** Makes a link with which the user chooses a password. The audit log holds who made it, never the link. */
export async function createPasswordLink(
  tx: Transaction,
  user: LinkUser,
  purpose: PasswordPurpose,
  by: Actor,
  now: number,
): Promise<PasswordLink> {
  const link = await createLink(tx, { purpose, accountId: user.account_id, userId: user.id }, now);
  await noteLink(tx, user, by, { purpose }, now);
  return { ...link, purpose };
}

function noteLink(
  tx: Transaction,
  user: LinkUser,
  by: Actor,
  details: { readonly purpose: PasswordPurpose; readonly via?: "mail" },
  now: number,
): Promise<void> {
  return addAuditEntries(tx, user.account_id, [{ by, action: "link.created", id: user.id, details }], now);
}

/**
 * The same as a link that its maker has seen, for a mail: its user reads that mailbox, which the other link does not
 * prove. Of the two, one can be used.
 */
export async function createMailedLink(
  tx: Transaction,
  user: LinkUser,
  { purpose }: PasswordLink,
  mailedTo: string,
  now: number,
): Promise<PasswordLink> {
  const request = { purpose, accountId: user.account_id, userId: user.id, leavesOthers: true, mailedTo };
  return { ...(await createLink(tx, request, now)), purpose };
}

/**
 * Makes a link for a person who claims to be the user, and gets it by mail only. Earlier links still work. Null: there is no
 * such user. Then the link opens nothing, but takes as much work, so nobody can find out which e-mails exist.
 */
export async function createRequestedLink(
  tx: Transaction,
  user: (LinkUser & { readonly email: string }) | null,
  now: number,
): Promise<PasswordLink> {
  const purpose = "reset";
  if (user === null) return { ...(await createUselessLink(tx, now)), purpose };
  const request = { purpose, accountId: user.account_id, userId: user.id, leavesOthers: true, mailedTo: user.email };
  const link = await createLink(tx, { ...request, purpose }, now);
  await noteLink(tx, user, { kind: "stranger" }, { purpose, via: "mail" }, now);
  return { ...link, purpose };
}
