import type { Texts } from "../../../both-sides/texts/texts.ts";
import { PortalError } from "../../api/request.ts";

/** Codes for which one text says it all. */
const textOfCode: Readonly<Record<string, KeysOfStrings<Texts["errors"]>>> = {
  UNREACHABLE: "unreachable",
  RATE_LIMITED: "rateLimited",
  NOT_SIGNED_IN: "wrongSignIn",
  NOT_FOUND: "notFound",
  NO_SUCH_PERSON: "noSuchPerson",
  SIGN_IN_UNFINISHED: "signInUnfinished",
  PROVIDER_UNAVAILABLE: "providerUnavailable",
  INTERNAL: "failed",
  FORBIDDEN: "forbidden",
  UNAVAILABLE: "busy",
  TOO_MANY_UPLOADS: "busy",
  PASSWORDS_BUSY: "busy",
};

type KeysOfStrings<T> = { [Key in keyof T]: T[Key] extends string ? Key : never }[keyof T];

export function errorWords(error: unknown, { errors }: Pick<Texts, "errors">): string {
  if (!(error instanceof PortalError)) return errors.pageFault;
  const { code, waitSeconds } = error;
  const key = textOfCode[code];
  if (key !== undefined) return errors[key];
  // The server's own words, in English, say more than ours.
  const serverWords = error.message || errors.refused;
  switch (code) {
    case "TOO_MANY_ATTEMPTS":
      return errors.tooManyAttempts(
        waitSeconds > 90
          ? errors.minutes(String(Math.ceil(waitSeconds / 60)))
          : errors.seconds(String(waitSeconds || 60)),
      );
    // The reason is for the people who run the provider.
    case "INVALID_ID_TOKEN":
      return `${errors.signInNotProven} (${error.message})`;
    // With the record as it is now, another person was faster; else the server says what stands in the way.
    case "CONFLICT":
      return "current" in error.details ? errors.conflict : serverWords;
    case "INVALID_REQUEST":
      // An address with an id that is none: there is no such vehicle.
      if (/^(device|geofence)_id: expected (a UUID|ids of devices)/i.test(error.message)) return errors.notFound;
      return fieldsInWords(error, errors) ?? serverWords;
    default:
      return serverWords;
  }
}

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
