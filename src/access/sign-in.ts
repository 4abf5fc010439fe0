import type { Preferences } from "../domain/preferences.ts";
import { removeUnusedLinks } from "../store/access/one-time-links.ts";
import { endSessions } from "../store/access/sessions.ts";
import { noteSignIn, replacePassword, type SignInRow, signInByEmail } from "../store/access/sign-ins.ts";
import type { Database, Transaction } from "../store/database.ts";
import { addAuditEntries } from "../store/fleet/audit.ts";
import { bumpRevisions } from "../store/fleet/record-revisions.ts";
import { networkOf } from "./address-meter.ts";
import { type AttemptSource, Attempts, type Throttled } from "./attempts.ts";
import { type HashCaller, HashQueue } from "./hash-queue.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { type Session, startSession } from "./sessions.ts";

/** What is known of the browser in which a user signs in. */
export interface BrowserRequest {
  readonly address: string;
  readonly oldToken: string | null;
  /** Proofs that someone has signed in with this browser before. */
  readonly browserProofs: string | null;
  /** Such as "Firefox · Windows". */
  readonly browser: string | null;
  /** What it speaks; null: it does not say, or nothing that we speak. */
  readonly language: Preferences["language"];
  /** Aborted once nobody waits for the answer. */
  readonly signal: AbortSignal;
}

interface SignInRequest extends BrowserRequest {
  readonly email: string;
  readonly password: string;
}

interface PasswordChangeRequest extends Pick<BrowserRequest, "browserProofs" | "signal"> {
  /** Null: the user has none yet. */
  readonly current: string | null;
  readonly next: string;
}

export type SignInOutcome =
  | { readonly outcome: "signed in"; readonly token: string; readonly browserProofs: string }
  | { readonly outcome: "wrong" }
  | Throttled;
type PasswordChange =
  | { readonly outcome: "changed"; readonly browserProofs: string }
  | { readonly outcome: "wrong" }
  /** It is the current password. */
  | { readonly outcome: "same" }
  | Throttled;

type PasswordCheck = { readonly outcome: "right" } | { readonly outcome: "wrong" } | Throttled;

/**
 * Checks passwords. A refused sign-in looks the same and takes the same time, whatever the cause: a wrong password, an
 * unknown e-mail, a disabled user, a suspended account. Each takes the same queries and one slow hash.
 */
export class SignIn {
  readonly #database: Database;
  readonly #verify: typeof verifyPassword;
  readonly #hashes: HashQueue;
  readonly #attempts = new Attempts();
  readonly #browsers: KnownBrowsers;
  /** The hash of a random password, to compare with when there is no user. */
  readonly #decoy: Promise<string>;

  constructor(database: Database, verify: typeof verifyPassword = verifyPassword, hashes = new HashQueue()) {
    this.#database = database;
    this.#verify = verify;
    this.#hashes = hashes;
    this.#browsers = new KnownBrowsers(database);
    this.#decoy = hashPassword(crypto.randomUUID());
  }

  async signIn(request: SignInRequest, now: number): Promise<SignInOutcome> {
    const { email, address, browserProofs, signal } = request;
    const known = browserProofs === null ? null : await this.#knownBrowser(browserProofs, email, now);
    const source: AttemptSource = known === null ? { email, address } : { known: known.proofId };
    const caller = { source: known?.userId ?? networkOf(address), isKnown: known !== null, signal };
    return this.#attempts.attempt(source, now, () => this.#signIn(request, caller, now), isRight);
  }

  async #signIn(request: SignInRequest, caller: HashCaller, now: number): Promise<SignInOutcome> {
    const { email, password, oldToken, browserProofs, browser, language } = request;
    const user = await signInByEmail(this.#database, email);
    const passwordHash = user?.password_hash ?? (await this.#decoy);
    const isKnown = await this.#compare(password, passwordHash, caller);
    if (user === null || !isKnown || !mayEnter(user)) return { outcome: "wrong" };
    const token = await this.#database.transaction(async (tx) => {
      // The password may have been changed since it was read.
      if (!(await noteSignIn(tx, user.id, { passwordHash }, now))) return null;
      const started = { via: "password", browser, oldToken, language } as const;
      return startSession(tx, { account_id: user.account_id, user_id: user.id }, started, now);
    });
    if (token === null) return { outcome: "wrong" };
    return { outcome: "signed in", token, browserProofs: await this.#browsers.remember(browserProofs, user, now) };
  }

  /**
   * Ends all other sessions of the user, the proofs of all other browsers and links that nobody has used, so a stolen one
   * becomes useless. Attempts are counted by session: strangers with wrong passwords must not keep the user from changing theirs.
   */
  changePassword(session: Session, request: PasswordChangeRequest, now: number): Promise<PasswordChange> {
    const source = { known: session.tokenHash };
    return this.#attempts.attempt(source, now, () => this.#changePassword(session, request, now), isRight);
  }

  async #changePassword(session: Session, request: PasswordChangeRequest, now: number): Promise<PasswordChange> {
    const { user, visibility, tokenHash } = session;
    const caller = { source: user.id, isKnown: true, signal: request.signal };
    const checked = (await signInByEmail(this.#database, user.email))?.password_hash ?? null;
    if (!(await this.#isCurrent(request.current, checked, caller))) return { outcome: "wrong" };
    if (request.next === request.current) return { outcome: "same" };
    // Hashing is slow on purpose, so it happens outside the transaction.
    const next = await this.#hashes.run(caller, () => hashPassword(request.next));
    const isChanged = await this.#database.transaction(async (tx) => {
      if (!(await replacePassword(tx, user.id, { checked, next }, now))) return false;
      await endSessions(tx, { account_id: visibility.accountId, user_id: user.id }, tokenHash);
      await removeUnusedLinks(tx, user.id);
      await notePasswordChange(tx, visibility.accountId, user.id, now);
      return true;
    });
    if (!isChanged) return { outcome: "wrong" };
    const owner = { id: user.id, password_hash: next };
    return { outcome: "changed", browserProofs: await this.#browsers.remember(request.browserProofs, owner, now) };
  }

  /** Whether the person who uses a session knows its user's password. Attempts are counted by session. */
  checkPassword(session: Session, given: string, signal: AbortSignal, now: number): Promise<PasswordCheck> {
    const check = async (): Promise<PasswordCheck> => {
      const stored = (await signInByEmail(this.#database, session.user.email))?.password_hash ?? null;
      const caller = { source: session.user.id, isKnown: true, signal };
      return { outcome: (await this.#isCurrent(given, stored, caller)) ? "right" : "wrong" };
    };
    return this.#attempts.attempt({ known: session.tokenHash }, now, check, isRight);
  }

  async #isCurrent(given: string | null, hash: string | null, caller: HashCaller): Promise<boolean> {
    if (given === null) return hash === null;
    return this.#compare(given, hash ?? (await this.#decoy), caller);
  }

  /** When it is the caller's turn. */
  #compare(password: string, hash: string, caller: HashCaller): Promise<boolean> {
    return this.#hashes.run(caller, () => this.#verify(password, hash));
  }

  /** One query, whether or not anybody has that e-mail. */
  async #knownBrowser(proofs: string, email: string, now: number) {
    const user = await signInByEmail(this.#database, email);
    const proofId = await this.#browsers.recognise(proofs, user, now);
    return proofId === null || user === null ? null : { proofId, userId: user.id };
  }
}

export function isRight({ outcome }: SignInOutcome | PasswordChange | PasswordCheck): boolean {
  return outcome !== "wrong";
}

/** The user's record is managed by the portal from now on: loading a fleet file must not bring the old password back. */
export async function notePasswordChange(
  tx: Transaction,
  accountId: number,
  userId: string,
  now: number,
): Promise<void> {
  await bumpRevisions(tx, accountId, "user", [userId], "portal");
  const by = { kind: "user", id: userId } as const;
  await addAuditEntries(tx, accountId, [{ by, action: "password.changed", id: userId }], now);
}

function mayEnter({ password_hash, user_status, account_status }: SignInRow): boolean {
  return password_hash !== null && user_status === "active" && account_status === "active";
}
