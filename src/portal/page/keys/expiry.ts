import { dayWindow } from "../playback/day.ts";

const dayMs = 86_400_000;

/** When a key may end, as it is chosen: after so many days, on a date, or never. */
export const expiryChoices = [
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In one year"],
  ["date", "On a date…"],
  ["never", "Never"],
] as const;

/**
 * The moment that was chosen. A date is the last day on which the key works, by the clock that times are shown in; the
 * last millisecond of it, so that it is shown as that day.
 */
export function expiryOf(choice: string, lastDay: string, isUtc: boolean, now: number): string | null {
  if (choice === "never") return null;
  const at = choice === "date" ? dayWindow(lastDay, isUtc).to - 1 : now + Number(choice) * dayMs;
  return new Date(at).toISOString();
}
