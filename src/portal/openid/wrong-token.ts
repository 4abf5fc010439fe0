import * as openid from "openid-client";

/** What is wrong with a provider's word on who a person is, in words for a person and the log. */
export class WrongToken extends Error {}

/** By the claim of the ID token. The others are rare, and named by their own names. */
const wrongClaims: Readonly<Record<string, string>> = {
  nonce: "is of another sign-in (nonce)",
  aud: "is for another client (audience)",
  azp: "is for another client (authorized party)",
  iss: "is of another issuer",
  exp: "has expired; compare the clocks of both machines",
  nbf: "is not valid yet; compare the clocks of both machines",
};

/** The library has one code for many faults of a token, and tells them apart by its message. */
const wrongMessages: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/signature verification failed/, "has a wrong signature"],
  [/"iss" \(issuer\)/, "is of another issuer"],
  [/multiple applicable keys/, "does not say which key it is signed with (kid)"],
  // Its keys are cached, and asked for again after a failure.
  [/no applicable keys/, "is signed with a key that the provider did not publish when last asked; try again"],
  [/"as\.jwks_uri"/, "cannot be checked: the provider names no keys (jwks_uri)"],
  [/JWT "crit" header/, "needs an extension that is not supported (crit)"],
  [/JWE decryption/, "is encrypted, which is not supported"],
  [/Invalid JWT|JWT Header/, "is not an ID token"],
  [/JWT Payload/, "has no claims that can be read"],
  [/"id_token" property/, "has no ID token"],
  [/body "sub" property value/, "is of another person than the ID token (sub)"],
];

/** Null: it is not about the token, but about the provider or the network. */
export function wrongTokenIn(error: unknown): WrongToken | null {
  if (!(error instanceof openid.ClientError) || !(error.cause instanceof Error)) return null;
  const words = wordsFor(error.code, error.cause);
  return words === null ? null : new WrongToken(`the provider's answer ${words}`, { cause: error });
}

function wordsFor(code: string | undefined, { message, cause }: Error): string | null {
  const about = (cause ?? {}) as FaultDetails;
  if (code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED" || code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED") {
    const { claim = "unknown" } = about;
    return wrongClaims[claim] ?? `has a wrong claim (${claim})`;
  }
  if (/unexpected JWT "alg"/.test(message)) return wrongAlgorithm(about.header?.alg, "the provider does not announce");
  if (/unsupported JWS/.test(message)) return wrongAlgorithm(about.alg, "is not supported");
  return wrongMessages.find(([pattern]) => pattern.test(message))?.[1] ?? wrongForm(message);
}

/** What the library knows of a fault. The header is whatever the token says. */
interface FaultDetails {
  readonly claim?: string;
  readonly alg?: unknown;
  readonly header?: { readonly alg?: unknown };
}

function wrongAlgorithm(alg: unknown, fault: string): string {
  if (alg === "none") return "is not signed";
  const name = typeof alg === "string" && /^[\w-]{1,20}$/.test(alg) ? alg : "an unknown algorithm";
  // The library checks no signature by a shared secret.
  if (/^HS\d+$/.test(name)) return `is signed with ${name}: choose an asymmetric key such as RS256 at the provider`;
  return `is signed with ${name}, which ${fault}`;
}

function wrongForm(message: string): string | null {
  const [, claim, fault] = /JWT "(\w+)" \([^)]*\) claim (missing|type)/.exec(message) ?? [];
  if (claim === undefined) return null;
  return fault === "missing" ? `lacks a claim (${claim})` : `has a claim of the wrong type (${claim})`;
}
