/** Each reads one JSON value. A missing or wrong value is null; a wrong one also adds to `problems`. */
import { expectedNumber, fits, type MeasuredName } from "./bounds.ts";
import { problem } from "./problems.ts";

/** No invisible characters: such a text would look the same as another. */
const visibleText = /^(?=.*\S)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,64}$/u;
export const expectedText = "text of 1 to 64 visible characters";

/** `path`: the field's place in the frame, if it is not just its name. */
export function readNumber(value: unknown, name: MeasuredName, problems: string[], path: string = name): number | null {
  if (value === undefined || value === null) return null;
  if (fits(value, name)) return value + 0; // turns -0 into 0, so that equal frames have equal digests
  problems.push(problem(path, typeof value === "number" ? expectedNumber(name) : "a number", value));
  return null;
}

export function readBoolean(value: unknown, name: string, problems: string[]): boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value;
  problems.push(problem(name, "true or false", value));
  return null;
}

export function readText(value: unknown, name: string, problems: string[]): string | null {
  if (value === undefined || value === null) return null;
  if (isVisibleText(value)) return value;
  problems.push(problem(name, expectedText, value));
  return null;
}

export function isVisibleText(value: unknown): value is string {
  return typeof value === "string" && visibleText.test(value);
}
