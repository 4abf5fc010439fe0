import { timingSafeEqual } from "node:crypto";
import { type ProvenRequest, ProvenSignIn } from "../../access/proven-sign-in.ts";
import { Failure } from "../../domain/errors.ts";
import type { Observe } from "../../observe/observation.ts";
import type { Database } from "../../store/database.ts";
import { tooManyAttempts } from "../refusals.ts";
import { OpenIdProvider, type OpenIdSettings, Unfinished } from "./provider.ts";
import { SealedSignIns } from "./sealed.ts";
import { WrongToken } from "./wrong-token.ts";

interface Returning {
  /** What the browser was given when it began. */
  readonly sealed: string | null;
  /** What the provider added to the address. */
  readonly parameters: URLSearchParams;
  readonly from: ProvenRequest;
}

/** Sign-in at an OpenID provider, from the button to the session. */
export class OpenId {
  readonly name: string;
  readonly #provider: OpenIdProvider;
  readonly #sealed: SealedSignIns;
  readonly #signIn: ProvenSignIn;
  readonly #observe: Observe;

  constructor(settings: OpenIdSettings, database: Database, observe: Observe) {
    this.name = settings.name;
    this.#provider = new OpenIdProvider(settings);
    this.#sealed = new SealedSignIns(database);
    this.#signIn = new ProvenSignIn(database);
    this.#observe = observe;
  }

  /** The provider's address for this sign-in, and what the browser must bring back. */
  async begin(redirectUri: string, next: string | null, now: number) {
    const { address, pending } = await this.#callProvider(() => this.#provider.begin(redirectUri));
    return { address, sealed: await this.#sealed.seal({ ...pending, next }, now) };
  }

  /** The token of the session, and where the person wanted to go. */
  async finish({ sealed, parameters, from }: Returning, now: number) {
    const remembered = sealed === null ? null : await this.#sealed.open(sealed, now);
    // Another person's sign-in must not be finished in this browser.
    if (remembered === null || !isSame(parameters.get("state") ?? "", remembered.state)) throw unfinished();
    const prove = async () => {
      const proven = await this.#callProvider(() => this.#provider.finish(remembered, parameters));
      return proven?.isVerified ? proven.email : null;
    };
    const done = await this.#signIn.signIn(from, prove, now);
    if (done.outcome === "throttled") throw tooManyAttempts(done.waitMs);
    if (done.outcome === "nobody") throw nobody();
    return { token: done.token, next: remembered.next };
  }

  async #callProvider<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Unfinished) throw unfinished();
      // Nothing but its words: the error itself holds what was sent.
      this.#observe({ kind: "openid_failed", reason: error instanceof Error ? reasonOf(error) : String(error) });
      if (error instanceof WrongToken) throw new Failure("INVALID_ID_TOKEN", error.message);
      throw new Failure("PROVIDER_UNAVAILABLE", "the sign-in provider does not answer as it should; try again later");
    }
  }
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function unfinished(): Failure {
  return new Failure("SIGN_IN_UNFINISHED", "the sign-in was not finished, or took too long; begin again");
}

/** The same text whatever the cause. */
function nobody(): Failure {
  const message =
    "nobody may sign in here with that e-mail; ask the account's owner to invite it, and confirm it there";
  return new Failure("NO_SUCH_PERSON", message);
}
