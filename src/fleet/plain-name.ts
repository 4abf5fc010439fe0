import { turnsTextAround } from "../domain/text.ts";
import { doesNotFit } from "./reference.ts";

export const plainNameExpected = "expected a name without characters that turn text around, such as U+202E";

/** Names are shown in lists, mails and logs. One that is stored already stays as it is. */
export function requirePlainName(line: number, name: string, before: { readonly name: string } | undefined): void {
  if (name !== before?.name && turnsTextAround(name)) throw doesNotFit(line, "name", plainNameExpected);
}
