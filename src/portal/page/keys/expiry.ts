import { dayWindow } from "../playback/day.ts";

const dayMs = 86_400_000;

/** The choices for when a key expires: after some days, on a date, or never. */
export const expiryChoices = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In one year"],
  ["date", "On a date…"],
  ["never", "Never"],
] as const;

/**
 * The chosen moment. A date is the last day on which the key works, in the time zone that times are shown in. The moment is its
 * last millisecond, so that it is shown as that day.
 */
export function expiryOf(choice: string, lastDay: string, isUtc: boolean, now: number): string | null {
  if (choice === "never") return null;
  const at = choice === "date" ? dayWindow(lastDay, isUtc).to - 1 : now + Number(choice) * dayMs;
  return new Date(at).toISOString();
}
