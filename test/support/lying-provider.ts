import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { OpenIdSettings } from "../../src/portal/openid/provider.ts";

/** What it changes of an ID token that would be right. */
export interface Lie {
  readonly header?: object;
  readonly claims?: object;
  /** Of the key that it publishes and signs with. */
  readonly keyId?: string;
  /** Signs with a key that it does not publish. */
  readonly isForged?: boolean;
  /** Signs with this as a shared secret. */
  readonly secret?: (publicKey: string) => string;
  /** What it gives in place of the ID token. */
  readonly idToken?: (right: string) => string | undefined;
  /** Of what it says about itself. */
  readonly metadata?: object;
  /** Whom it names when it is asked about the person. */
  readonly userinfo?: object;
}

export interface LyingProvider extends AsyncDisposable {
  readonly settings: OpenIdSettings;
  /** Signs everybody in at once. Returns the parameters with which a browser comes back. */
  signIn(address: string): URLSearchParams;
  /** Of its next tokens. */
  lie: Lie;
}

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A provider that gives whatever ID token a test wants: a real one never gives a wrong one. */
export function startLyingProvider(email: string): LyingProvider {
  const [published, other] = [newKey(), newKey()];
  const clientId = "odograph";
  let nonce = "";
  const token = (issuer: string) => {
    const { header, claims, isForged = false, secret, keyId = "1" } = provider.lie;
    const now = Math.floor(Date.now() / 1000);
    const said = { iss: issuer, aud: clientId, sub: "1", email, email_verified: true, iat: now, exp: now + 60, nonce };
    const parts = `${base64({ alg: "RS256", kid: keyId, ...header })}.${base64({ ...said, ...claims })}`;
    const publicKey = published.publicKey.export({ format: "pem", type: "spki" }).toString();
    const signed = secret
      ? createHmac("sha256", secret(publicKey)).update(parts).digest("base64url")
      : signature(parts, (isForged ? other : published).privateKey);
    return `${parts}.${signed}`;
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { origin: issuer, pathname } = new URL(request.url);
      const { idToken = (right: string) => right, keyId: kid = "1", metadata, userinfo } = provider.lie;
      if (pathname === "/keys")
        return Response.json({ keys: [{ ...published.publicKey.export({ format: "jwk" }), kid, alg: "RS256" }] });
      if (pathname === "/token")
        return Response.json({ access_token: "any", token_type: "Bearer", id_token: idToken(token(issuer)) });
      if (pathname === "/userinfo") return Response.json({ sub: "1", email, email_verified: true, ...userinfo });
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        ...metadata,
      });
    },
  });
  const provider: LyingProvider = {
    settings: { issuer: server.url.origin, clientId, clientSecret: "a secret of the tests", name: "Liar" },
    lie: {},
    signIn(address) {
      const { searchParams } = new URL(address);
      nonce = searchParams.get("nonce") ?? "";
      return new URLSearchParams({ code: "any", state: searchParams.get("state") ?? "" });
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return provider;
}

function signature(text: string, key: KeyObject): string {
  return sign("sha256", Buffer.from(text), key).toString("base64url");
}
