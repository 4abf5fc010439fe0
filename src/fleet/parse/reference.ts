import { Failure } from "../../domain/errors.ts";
import { isPlainEmail, normalEmail, plainEmailExpected } from "../../domain/text/email.ts";
import { turnsTextAround } from "../../domain/text/text.ts";

/** A line that is valid by itself but contradicts the store or other lines. */
export class DoesNotFit extends Failure {
  readonly field: string;
  readonly problem: string;

  constructor(line: number, field: string, problem: string) {
    super("FLEET_FILE_INVALID", `line ${line}: field "${field}": ${problem}`);
    this.field = field;
    this.problem = problem;
  }
}

/** More would not help a reader: a file pasted twice has as many problems as lines. */
const maxReported = 10;

export function firstProblems(problems: readonly string[]): string {
  const others = problems.length - maxReported;
  return [...problems.slice(0, maxReported), ...(others > 0 ? [`and ${others} more`] : [])].join("; ");
}

export const plainNameExpected = "expected a name without characters that turn text around, such as U+202E";

/** Names are shown in lists, mails and logs. One that is stored already stays as it is. */
export function requirePlainName(line: number, name: string, before: { readonly name: string } | undefined): void {
  if (name !== before?.name && turnsTextAround(name)) throw new DoesNotFit(line, "name", plainNameExpected);
}

/** An e-mail that an earlier version has stored stays as it is, and its user signs in with it. */
export function requirePlainEmail(line: number, email: string, before: { readonly email: string } | undefined): void {
  if (before !== undefined && normalEmail(before.email) === email) return;
  if (!isPlainEmail(email)) throw new DoesNotFit(line, "email", plainEmailExpected);
}
