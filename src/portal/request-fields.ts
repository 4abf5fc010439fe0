import { z } from "zod";
import { isKeyName, keyNameExpected } from "../access/keys.ts";
import { isFitPassword, passwordExpected } from "../access/passwords.ts";
import { isUuid } from "../domain/text/identifiers.ts";
import { isText } from "../domain/text/text.ts";
import { parseInstant } from "../domain/time/time.ts";
import { readTag } from "../fleet/parse/records.ts";

/** Fields that several requests have. */

/** What was once stored as a password must remain usable, so only its size is bounded here. */
export const givenPassword = z
  .string({ error: "expected a password" })
  .min(1, "expected a password")
  .max(1000, "expected at most 1000 characters");

export const newPassword = checkedText(`expected ${passwordExpected}`, isFitPassword);

const maxEmailLength = 254;
export const givenEmail = checkedText(`expected an e-mail address of at most ${maxEmailLength} characters`, (text) =>
  isText(text.trim(), 1, maxEmailLength),
);

/** In a body, not in the address: addresses are logged by proxies. */
export const linkToken = z.string({ error: "expected the end of a link" }).max(200, "expected the end of a link");

export const seenRevision = z.int({ error: "expected the revision that you have seen" });

const nameExpected = `expected ${keyNameExpected}`;
/** Of an API key or a token. */
export const keyName = z
  .string({ error: nameExpected })
  .trim()
  .refine((text) => isKeyName(text), { error: nameExpected });

/** A parameter that is a moment. */
export const optionalMoment = z
  .string()
  .transform((text) => parseInstant(text))
  .refine((at) => at !== null, { error: "expected a time" })
  .optional();

/** A parameter that is a whole number. */
export function wholeNumberField(maxDigits: number, least: number, most: number, what = "a whole number") {
  const expected = `expected ${what} from ${least} to ${most}`;
  return z
    .string({ error: expected })
    .regex(new RegExp(`^\\d{1,${maxDigits}}$`), expected)
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error: expected });
}

export function oneId(error: string) {
  return checkedText(error, isUuid).transform((id) => id.toLowerCase());
}

/** A list of ids, none if it is absent. However many are wrong, it is said once. */
export function uuidList(max: number, error: string) {
  return z
    .array(z.unknown(), { error })
    .max(max, { error })
    .refine((ids) => ids.every((id) => typeof id === "string" && isUuid(id)), { error, abort: true })
    .transform((ids) => (ids as string[]).map((id) => id.toLowerCase()))
    .default([]);
}

/** A list of tags, each once, as they are stored. */
export function tagList(max: number, error: string, min = 0) {
  return z
    .array(z.unknown(), { error })
    .min(min, { error })
    .max(max, { error, abort: true })
    .refine((tags) => tags.every((tag) => typeof tag === "string" && readTag(tag) !== null), { error, abort: true })
    .transform((tags) => [...new Set((tags as string[]).flatMap((tag) => readTag(tag) ?? []))]);
}

function checkedText(error: string, isFit: (text: string) => boolean) {
  return z.string({ error }).refine(isFit, { error });
}
