import { ApiFailure } from "../api/respond.ts";
import type { Failure } from "../domain/errors.ts";

export function nothingHere(): Failure {
  return new ApiFailure("NOT_FOUND", "there is nothing at this address", {});
}

export function methodRefused(allowed: readonly string[]): Failure {
  const headers = { Allow: allowed.join(", ") };
  return new ApiFailure("METHOD_NOT_ALLOWED", `expected ${allowed.join(" or ")}`, { headers });
}

export function notSignedIn(): Failure {
  return new ApiFailure("NOT_SIGNED_IN", "you are not signed in, or your session has ended", {});
}

/** The same text whatever the cause. */
export function wrongSignIn(): Failure {
  return new ApiFailure("NOT_SIGNED_IN", "the e-mail or the password is wrong", {});
}

export function forbidden(message: string): Failure {
  return new ApiFailure("FORBIDDEN", message, {});
}

export function tooManyAttempts(waitMs: number): Failure {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `too many attempts; try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}`;
  return new ApiFailure("TOO_MANY_ATTEMPTS", message, { headers: { "Retry-After": String(seconds) } });
}

/** Names everything that is wrong, in one message and by field. */
export function invalidFields(fields: Readonly<Record<string, string>>): Failure {
  const message = Object.entries(fields)
    .map(([name, problem]) => `${name}: ${problem}`)
    .join("; ");
  return new ApiFailure("INVALID_REQUEST", message, { fields: { fields } });
}

export function noSuch(noun: string): Failure {
  return new ApiFailure("NOT_FOUND", `there is no such ${noun}, or you cannot see it`, {});
}
