/** More would be of no further help to the sender. */
const maxProblemsReported = 10;
const maxValueLength = 40;

/** `latitude: expected a number, got "abc"`. */
export function problem(name: string, expected: string, value: unknown): string {
  return value === undefined
    ? `${name}: expected ${expected}, but it is missing`
    : `${name}: expected ${expected}, got ${printable(value)}`;
}

export function problemLine(problems: readonly string[]): string {
  const shown = problems.slice(0, maxProblemsReported);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  return shown.join("; ");
}

/** A value from outside for a message: short, and without control characters that a terminal would obey. */
export function printable(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  const short = value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value;
  return `"${short.replace(/["\\]/g, "\\$&").replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, byNumber)}"`;
}

function byNumber(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
