import { dayAt, dayWindow, isDay } from "../common/days.ts";

/** From when on a change holds: null is from now on. */
export interface Since {
  readonly day: string | null;
}

export const fromNow: Since = { day: null };

/** As the server takes it; undefined: from now on; null: no day, or one that is to come. */
export function validFromOf({ day }: Since, zone: string, now: number): string | null | undefined {
  if (day === null) return undefined;
  if (!isDay(day) || day > dayAt(now, zone)) return null;
  return new Date(dayWindow(day, zone).from).toISOString();
}
