import * as openid from "openid-client";
import { wrongTokenIn } from "./wrong-token.ts";

/** Where people sign in besides here. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: the provider knows us by PKCE alone. */
  readonly clientSecret: string | null;
  /** What the button calls it. */
  readonly name: string;
}

/** A sign-in that has begun: only the browser that began it may finish it. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the provider sends the browser. */
  readonly redirectUri: string;
}

/** What the provider says of a person. */
export interface ProvenEmail {
  readonly email: string;
  readonly isVerified: boolean;
}

/** The sign-in did not come to its end: it was cancelled, it is too old, or its code was used before. */
export class Unfinished extends Error {}

/** A person waits meanwhile, and a handler has ten seconds for two or three calls. */
const timeoutSeconds = 3;
/** A person who presses the button again and again must not make us ask a provider that is away each time. */
const retryAfterMs = 2_000;

const scope = "openid email";

/** The provider, by the authorization code flow with PKCE, state and nonce. It is discovered when it is first needed. */
export class OpenIdProvider {
  readonly #settings: OpenIdSettings;
  #found: { readonly configuration: Promise<openid.Configuration>; retryAt: number } | null = null;

  constructor(settings: OpenIdSettings) {
    this.#settings = settings;
  }

  /** Where to send the browser, and what to remember until it comes back. */
  async begin(redirectUri: string): Promise<{ readonly address: string; readonly pending: PendingSignIn }> {
    const configuration = await this.#configuration();
    const pending = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
      redirectUri,
    };
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
    });
    return { address: address.href, pending };
  }

  /** Who came back, by the parameters that the provider gave the browser. */
  async finish(pending: PendingSignIn, parameters: URLSearchParams): Promise<ProvenEmail | null> {
    const configuration = await this.#configuration();
    const returned = new URL(pending.redirectUri);
    returned.search = parameters.toString();
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, returned, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Unfinished("the provider gave no ID token");
      // Many providers name the e-mail only to those who ask for it.
      const about =
        claims.email === undefined
          ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      return typeof about.email === "string" ? { email: about.email, isVerified: about.email_verified === true } : null;
    } catch (error) {
      if (isUnfinished(error)) throw new Unfinished("the sign-in was not finished", { cause: error });
      // Whatever it was, perhaps the provider has changed.
      this.#found = null;
      throw wrongTokenIn(error) ?? error;
    }
  }

  #configuration(): Promise<openid.Configuration> {
    if (this.#found !== null && Date.now() < this.#found.retryAt) return this.#found.configuration;
    const found = { configuration: this.#discover(), retryAt: Number.POSITIVE_INFINITY };
    found.configuration.catch(() => {
      found.retryAt = Date.now() + retryAfterMs;
    });
    this.#found = found;
    return found.configuration;
  }

  #discover(): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    // Settings allow plain http on this machine only.
    const insecure = server.protocol === "http:" ? [openid.allowInsecureRequests] : [];
    // The signature counts, not only the connection: a proxy may stand between the provider and us.
    const execute = [...insecure, openid.enableNonRepudiationChecks];
    const options = { execute, timeout: timeoutSeconds };
    return openid.discovery(server, clientId, undefined, authentication(clientSecret), options);
  }
}

/** In the header, which every provider must know, unless this one says that it does not. */
function authentication(secret: string | null): openid.ClientAuth {
  if (secret === null) return openid.None();
  const [inHeader, inBody] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (supported.includes("client_secret_basic") ? inHeader : inBody)(server, ...rest);
  };
}

/** What a person or a browser did, not a fault of the provider or of the settings. */
function isUnfinished(error: unknown): boolean {
  if (error instanceof openid.AuthorizationResponseError) return true;
  return error instanceof openid.ResponseBodyError && error.error === "invalid_grant";
}
