import type { ExceededLimit, MeterReading } from "../access/meter.ts";
import type { Principal } from "../access/principal.ts";
import { Failure } from "../domain/errors.ts";
import type { Scope } from "../domain/scopes.ts";
import { quantity } from "../domain/text/text.ts";
import { HttpFailure, methodNotAllowed } from "../http/failures.ts";
import { type FullScope, maxStreams } from "./cache/open-streams.ts";
import type { Route } from "./route.ts";

export const readingMethods: readonly string[] = ["GET", "HEAD"];

export function unknownPath(): Failure {
  return new Failure("NOT_FOUND", "there is nothing at this path; /v1/openapi.json lists what there is");
}

export function onlyReading(): Failure {
  return methodNotAllowed(readingMethods, "this interface only reads: use GET or HEAD");
}

/** The same answer whatever the cause: a key that is missing, wrong, expired or revoked, or a disabled creator or account. */
export function invalidKey(): Failure {
  const message = "expected a valid API key, as `Authorization: Bearer KEY` or `X-API-Key: KEY`";
  return new HttpFailure("INVALID_API_KEY", message, { headers: { "WWW-Authenticate": 'Bearer realm="odograph"' } });
}

/** `what`: what needs the scopes, where it is not the endpoint. */
export function insufficientScope(
  missing: readonly Scope[],
  principal: Pick<Principal, "scopes">,
  what?: string,
): Failure {
  const fields = { required_scopes: missing, granted_scopes: principal.scopes };
  const [noun, pronoun] = missing.length === 1 ? ["scope", "it"] : ["scopes", "them"];
  const reason = what === undefined ? "" : ` for ${what}`;
  const message = `this key lacks the ${noun} ${missing.join(", ")}${reason}: create a key with ${pronoun} in the portal`;
  return new HttpFailure("INSUFFICIENT_SCOPE", message, { fields });
}

/** A follower has been away for too long, or what it followed is no more. */
export function expiredResume(why: "forgotten" | "changed" = "forgotten"): Failure {
  const reason = {
    forgotten: "what was removed since then is no longer known",
    changed: "the store was restored, or the user has another role",
  }[why];
  const message = `after: ${reason}; call without \`after\`, read the lists again, and follow from there`;
  return new Failure("CURSOR_EXPIRED", message);
}

/** All places for streamed answers are taken. A person has downloads, and no key. */
export function tooManyLongAnswers(full: FullScope, reader: "key" | "person" = "key"): Failure {
  const isPerson = reader === "person";
  const whose = { caller: isPerson ? "of yours" : "of this key", account: "of this account", node: "on this server" }[
    full
  ];
  const message = isPerson
    ? `${maxStreams[full]} downloads ${whose} are under way; wait for one to end, then try again`
    : `${maxStreams[full]} long answers ${whose} are being read at the moment; read one to its end, then try again`;
  return new HttpFailure("RATE_LIMITED", message, { headers: { "Retry-After": String(longAnswerSeconds) } });
}

/** A report of a large fleet takes some seconds to read. */
const longAnswerSeconds = 5;

export function rateLimited(refusal: ExceededLimit, reading: MeterReading): Failure {
  const retryAfter = refusal === "second" ? 1 : reading.resetSeconds;
  const headers = { "Retry-After": String(retryAfter) };
  return new HttpFailure("RATE_LIMITED", limitReached(refusal, reading), { headers });
}

function limitReached(refusal: ExceededLimit, { limitPerSecond, limitPerDay }: MeterReading): string {
  const ofDay = `the ${quantity(limitPerDay, "request")} of this UTC day`;
  const areUsedUp = `${limitPerDay === 1 ? "is" : "are"} used up; it goes on at midnight UTC`;
  switch (refusal) {
    case "second":
      return `more than ${quantity(limitPerSecond, "request")} in one second; wait a second before the next`;
    case "day":
      return `${ofDay} ${areUsedUp}`;
    case "account":
      return `${ofDay} that all keys of the account share ${areUsedUp}`;
  }
}

/** Whether the key may use the route. No other code compares scopes. */
export function mayUse({ scope }: Pick<Route, "scope">, { scopes }: Pick<Principal, "scopes">): boolean {
  return scope === "any" || scopes.includes(scope);
}

export function requireScope(route: Pick<Route, "scope">, principal: Pick<Principal, "scopes">): void {
  if (route.scope !== "any" && !mayUse(route, principal)) throw insufficientScope([route.scope], principal);
}
