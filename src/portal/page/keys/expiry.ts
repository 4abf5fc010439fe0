import { dayWindow } from "../../both-sides/periods/days.ts";

const dayMs = 86_400_000;

export const expiryChoices = ["30", "90", "365", "date", "never"] as const;

/**
 * The chosen moment. A date is the last day on which the key works, in the time zone that times are shown in. The moment is its
 * last millisecond, so that it is shown as that day.
 */
export function expiryOf(choice: string, lastDay: string, zone: string, now: number): string | null {
  if (choice === "never") return null;
  const at = choice === "date" ? dayWindow(lastDay, zone).to - 1 : now + Number(choice) * dayMs;
  return new Date(at).toISOString();
}
