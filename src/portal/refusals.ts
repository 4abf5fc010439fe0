import { Failure } from "../domain/errors.ts";
import { HttpFailure } from "../http/failures.ts";

export function nothingHere(): Failure {
  return new Failure("NOT_FOUND", "there is nothing at this address");
}

export function notSignedIn(): Failure {
  return new Failure("NOT_SIGNED_IN", "you are not signed in, or your session has ended");
}

/** The same text whatever the cause. */
export function wrongSignIn(): Failure {
  return new Failure("NOT_SIGNED_IN", "the e-mail or the password is wrong");
}

export function forbidden(message: string): Failure {
  return new Failure("FORBIDDEN", message);
}

export function tooManyAttempts(waitMs: number): Failure {
  const seconds = wholeSeconds(waitMs);
  return tooMany(`too many attempts; try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}`, waitMs);
}

/** `values`: what of others was tried too often. */
export function tooManyProbes(values: string, waitMs: number): Failure {
  return tooMany(`too many ${values} were tried: wait up to an hour before you try others`, waitMs);
}

function tooMany(message: string, waitMs: number): Failure {
  return new HttpFailure("TOO_MANY_ATTEMPTS", message, { headers: { "Retry-After": String(wholeSeconds(waitMs)) } });
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** Names everything that is wrong, in one message and by field. */
export function invalidFields(fields: Readonly<Record<string, string>>): Failure {
  const message = Object.entries(fields)
    .map(([name, problem]) => `${name}: ${problem}`)
    .join("; ");
  return new HttpFailure("INVALID_REQUEST", message, { fields: { fields } });
}

export function noSuch(noun: string): Failure {
  return new Failure("NOT_FOUND", `there is no such ${noun}, or you cannot see it`);
}
