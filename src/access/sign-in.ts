import type { Database } from "../store/database.ts";
import { endSessions } from "../store/sessions.ts";
import { noteSignIn, replacePassword, type SignInRow, signInByEmail } from "../store/sign-ins.ts";
import { Attempts, type Giver } from "./attempts.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { type Session, startSession } from "./sessions.ts";

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  /** Where the request comes from. */
  readonly address: string;
  /** The session that the browser has so far. */
  readonly oldToken: string | null;
  /** What proves that someone has signed in with this browser before. */
  readonly browserProofs: string | null;
}

export interface PasswordChangeRequest {
  readonly current: string;
  readonly next: string;
  readonly browserProofs: string | null;
}

export type Throttled = { readonly outcome: "throttled"; readonly waitMs: number };
export type SignedIn =
  | { readonly outcome: "signed in"; readonly token: string; readonly browserProofs: string }
  | { readonly outcome: "wrong" }
  | Throttled;
export type PasswordChange =
  | { readonly outcome: "changed"; readonly browserProofs: string }
  | { readonly outcome: "wrong" }
  /** It is the one that they have. */
  | { readonly outcome: "same" }
  | Throttled;

/**
 * Where passwords are given. Whoever cannot sign in is told the same in the same time, whatever the cause: the password is
 * wrong, nobody has that e-mail, the user is disabled, the account is suspended. Each takes the same queries and one slow hash.
 */
export class SignIn {
  readonly #database: Database;
  readonly #verify: typeof verifyPassword;
  readonly #attempts = new Attempts();
  readonly #browsers: KnownBrowsers;
  /** Of a password that nobody knows, to be compared with where there is none. */
  readonly #decoy: Promise<string>;

  constructor(database: Database, verify: typeof verifyPassword = verifyPassword) {
    this.#database = database;
    this.#verify = verify;
    this.#browsers = new KnownBrowsers(database);
    this.#decoy = hashPassword(crypto.randomUUID());
  }

  async signIn(request: SignInRequest, now: number): Promise<SignedIn> {
    const { email, password, address, oldToken, browserProofs } = request;
    const known = browserProofs === null ? null : await this.#knownBrowser(browserProofs, email, now);
    const giver: Giver = known === null ? { email, address } : { known };
    const { waitMs } = this.#attempts.take(giver, now);
    if (waitMs > 0) return { outcome: "throttled", waitMs };
    const user = await signInByEmail(this.#database, email);
    const passwordHash = user?.password_hash ?? (await this.#decoy);
    const isRight = await this.#verify(password, passwordHash);
    if (user === null || !isRight || !mayEnter(user)) return { outcome: "wrong" };
    const token = await this.#database.transaction(async (tx) => {
      // The password may have been changed since it was read.
      if (!(await noteSignIn(tx, user.id, { passwordHash }, now))) return null;
      return startSession(tx, { account_id: user.account_id, user_id: user.id }, oldToken, now);
    });
    if (token === null) return { outcome: "wrong" };
    this.#attempts.giveBack(giver, now);
    return { outcome: "signed in", token, browserProofs: await this.#browsers.remember(browserProofs, user, now) };
  }

  /**
   * Ends all other sessions of the user, and the proofs of all other browsers: whoever took one over is out. Attempts are
   * counted by the session, since strangers who give wrong passwords must not keep the user from changing it.
   */
  async changePassword(session: Session, request: PasswordChangeRequest, now: number): Promise<PasswordChange> {
    const { user, visibility, tokenHash } = session;
    const giver: Giver = { known: tokenHash };
    const { waitMs } = this.#attempts.take(giver, now);
    if (waitMs > 0) return { outcome: "throttled", waitMs };
    const checked = (await signInByEmail(this.#database, user.email))?.password_hash ?? (await this.#decoy);
    if (!(await this.#verify(request.current, checked))) return { outcome: "wrong" };
    if (request.next === request.current) {
      this.#attempts.giveBack(giver, now);
      return { outcome: "same" };
    }
    // Hashing is slow on purpose, so nobody waits for it in the transaction.
    const next = await hashPassword(request.next);
    const isChanged = await this.#database.transaction(async (tx) => {
      if (!(await replacePassword(tx, user.id, { checked, next }, now))) return false;
      await endSessions(tx, { account_id: visibility.accountId, user_id: user.id }, tokenHash);
      return true;
    });
    if (!isChanged) return { outcome: "wrong" };
    this.#attempts.giveBack(giver, now);
    const owner = { id: user.id, password_hash: next };
    return { outcome: "changed", browserProofs: await this.#browsers.remember(request.browserProofs, owner, now) };
  }

  /** One query, whether or not anybody has that e-mail. */
  async #knownBrowser(proofs: string, email: string, now: number): Promise<string | null> {
    return this.#browsers.recognise(proofs, await signInByEmail(this.#database, email), now);
  }
}

function mayEnter({ password_hash, user_status, account_status }: SignInRow): boolean {
  return password_hash !== null && user_status === "active" && account_status === "active";
}
