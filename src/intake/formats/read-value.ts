/** Readers of one JSON value each: null where it is missing or null, or where it is wrong, which is added to `problems`. */
import { expectedNumber, fits, type MeasuredName } from "./bounds.ts";
import { problem } from "./problems.ts";

/** Nothing that a reader could not see: such text would look like another one. */
const visibleText = /^(?=.*\S)[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,64}$/u;
export const expectedText = "text of 1 to 64 visible characters";

/** `path` is the field's place in the frame, where that is not its name. */
export function readNumber(value: unknown, name: MeasuredName, problems: string[], path: string = name): number | null {
  if (value === undefined || value === null) return null;
  if (fits(value, name)) return value + 0; // makes 0 of -0: they are equal, so their frames must be, too
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
