import { isPlainEmail, normalEmail, plainEmailExpected } from "../../domain/email.ts";
import { turnsTextAround } from "../../domain/text.ts";
import { doesNotFit } from "./reference.ts";

export const plainNameExpected = "expected a name without characters that turn text around, such as U+202E";

/** Names are shown in lists, mails and logs. One that is stored already stays as it is. */
export function requirePlainName(line: number, name: string, before: { readonly name: string } | undefined): void {
  if (name !== before?.name && turnsTextAround(name)) throw doesNotFit(line, "name", plainNameExpected);
}

/** An e-mail that an earlier version has stored stays as it is, and its user signs in with it. */
export function requirePlainEmail(line: number, email: string, before: { readonly email: string } | undefined): void {
  if (before !== undefined && normalEmail(before.email) === email) return;
  if (!isPlainEmail(email)) throw doesNotFit(line, "email", plainEmailExpected);
}
