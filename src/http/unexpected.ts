import { Failure } from "../domain/errors.ts";

/** Keys and tokens, and the query of an address, where senders that know no headers put their token. */
const secrets = /\bod[a-z]_\w+|\?\S*/g;

/** An error that we did not throw on purpose, for the log: its kind, its text without secrets, and where it was thrown. */
export function unexpectedFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return new Failure("INTERNAL", "something that is no error was thrown");
  const failure = new Failure("INTERNAL", textOf(error));
  const places = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  failure.stack = [failure.message, ...places.map((place) => place.replaceAll(secrets, "…"))].join("\n");
  return failure;
}

/** With the errors that led to it. */
function textOf({ name, message, cause }: Error): string {
  const text = `${name}: ${message}`.replaceAll(secrets, "…").replaceAll(/\s+/g, " ");
  return cause instanceof Error ? `${text}: ${textOf(cause)}` : text;
}
