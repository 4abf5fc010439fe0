import { PortalError } from "../api/request.ts";
import type { Texts } from "../texts/texts.ts";

/** What went wrong, in the person's language. */
export function errorWords(error: unknown, { errors }: Pick<Texts, "errors">): string {
  if (!(error instanceof PortalError)) return errors.pageFault;
  const { code, waitSeconds } = error;
  switch (code) {
    case "UNREACHABLE":
      return errors.unreachable;
    case "TOO_MANY_ATTEMPTS":
      return errors.tooManyAttempts(
        waitSeconds > 90
          ? errors.minutes(String(Math.ceil(waitSeconds / 60)))
          : errors.seconds(String(waitSeconds || 60)),
      );
    case "RATE_LIMITED":
      return errors.rateLimited;
    case "NOT_SIGNED_IN":
      return errors.wrongSignIn;
    case "NOT_FOUND":
      return errors.notFound;
    case "NO_SUCH_PERSON":
      return errors.noSuchPerson;
    case "SIGN_IN_UNFINISHED":
      return errors.signInUnfinished;
    // The reason is for whoever runs the provider, in the server's words.
    case "INVALID_ID_TOKEN":
      return `${errors.signInNotProven} (${error.message})`;
    case "PROVIDER_UNAVAILABLE":
      return errors.providerUnavailable;
    case "INTERNAL":
      return errors.failed;
    case "FORBIDDEN":
      return errors.forbidden;
    case "UNAVAILABLE":
    case "TOO_MANY_UPLOADS":
    case "PASSWORDS_BUSY":
      return errors.busy;
    // With the record as it is now, somebody else was faster; else the server says what stands in the way.
    case "CONFLICT":
      return "current" in error.details ? errors.conflict : error.message || errors.refused;
    case "INVALID_REQUEST":
      return fieldsInWords(error, errors) ?? (error.message || errors.refused);
    // The server's own words, in English, say more than ours.
    default:
      return error.message || errors.refused;
  }
}

/** What is wrong with the fields of a form. */
export function fieldProblems(error: unknown, { errors }: Pick<Texts, "errors">): Readonly<Record<string, string>> {
  if (!(error instanceof PortalError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([path, problem]) => [fieldOf(path), errors.fields[fieldOf(path)] ?? problem]),
  );
}

/** Null: there is a field for which only the server has words. */
function fieldsInWords({ fields }: PortalError, errors: Texts["errors"]): string | null {
  const names = new Set(Object.keys(fields).map(fieldOf));
  const words = [...names].map((name) => errors.fields[name]);
  return words.length === 0 || words.includes(undefined) ? null : words.join(" ");
}

/** `tags[3]` is a problem of `tags`. */
function fieldOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}
