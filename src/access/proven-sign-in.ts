import { noteSignInByEmail } from "../store/access/sign-ins.ts";
import type { Database } from "../store/database.ts";
import { Attempts, type Throttled } from "./attempts.ts";
import { noteConfirmed } from "./email-confirmations.ts";
import { startSession } from "./sessions.ts";
import type { BrowserRequest } from "./sign-in.ts";

export type ProvenRequest = Pick<BrowserRequest, "address" | "oldToken" | "browser" | "language">;

export type ProvenSignedIn =
  | { readonly outcome: "signed in"; readonly token: string }
  /** Nobody may sign in with that e-mail, or it is not proven. */
  | { readonly outcome: "nobody" }
  | Throttled;

/**
 * Signs in people whose e-mail an OpenID provider has proved. It finds users and never makes one. Attempts
 * that lead to nobody are limited by address, since each of them asks the provider.
 */
export class ProvenSignIn {
  readonly #database: Database;
  readonly #attempts = new Attempts();

  constructor(database: Database) {
    this.#database = database;
  }

  /** `prove` gives the e-mail that is proven, or null, or throws. */
  signIn(request: ProvenRequest, prove: () => Promise<string | null>, now: number): Promise<ProvenSignedIn> {
    const enter = async (): Promise<ProvenSignedIn> => {
      const email = await prove();
      const token = email === null ? null : await this.#start(request, email, now);
      return token === null ? { outcome: "nobody" } : { outcome: "signed in", token };
    };
    const isRight = ({ outcome }: ProvenSignedIn) => outcome === "signed in";
    return this.#attempts.attempt({ address: request.address }, now, enter, isRight);
  }

  #start({ oldToken, browser, language }: ProvenRequest, email: string, now: number): Promise<string | null> {
    return this.#database.transaction(async (tx) => {
      const user = await noteSignInByEmail(tx, email, now);
      if (user === null) return null;
      await noteConfirmed(tx, user, { by: { kind: "user", id: user.id }, via: "openid" }, now);
      const started = { via: "openid", browser, oldToken, language } as const;
      return startSession(tx, { account_id: user.account_id, user_id: user.id }, started, now);
    });
  }
}
