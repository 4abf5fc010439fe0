import { hasWrongCheckDigit } from "../../../../domain/text/identifiers.ts";
import type { Texts } from "../../../both-sides/texts/texts.ts";

type Words = Texts["errors"]["entry"];

/** What is unusual, but may be right: it is asked, and nothing is refused. */
export type Doubt = "email" | "imei";

/** The question; null: there is none. Pure. */
export function doubtOf(doubt: Doubt, typed: string, words: Words): string | null {
  const text = typed.trim();
  // What the form refuses anyway is no question. A server of one's own may have a name without a dot.
  if (doubt === "email") return /^[^@\s]+@[^@\s.]+$/.test(text) ? words.emailDoubt : null;
  return hasWrongCheckDigit(text.replaceAll(/[\s-]/g, "")) ? words.imeiDoubt : null;
}

/** What an input element says of itself. */
interface Entry {
  readonly validity: Readonly<Partial<Record<Fault, boolean>>>;
  readonly type: string;
  readonly min: string;
  readonly max: string;
  readonly minLength: number;
}

type Fault = "badInput" | "valueMissing" | "typeMismatch" | "rangeUnderflow" | "rangeOverflow" | "tooShort";

/** Why a field cannot be sent, in the person's language: a browser says it in its own, in a bubble. Pure. */
export function entryProblem({ validity, type, min, max, minLength }: Entry, words: Words): string {
  const isClock = ["date", "time", "datetime-local"].includes(type);
  if (validity.badInput) return isClock ? words.date : words.number;
  if (validity.valueMissing) return words.missing;
  if (validity.typeMismatch) return type === "email" ? words.email : words.other;
  if (validity.rangeUnderflow) return words.least(min);
  if (validity.rangeOverflow) return words.most(max);
  return validity.tooShort ? words.short(String(minLength)) : words.other;
}
