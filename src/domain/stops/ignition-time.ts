/**
 * How long the ignition was on at a stop. When the vehicle leaves, its trip turns out to have begun some frames ago, so what
 * was counted since the earliest such moment is remembered by its times, and cut there.
 */
export interface IgnitionTime {
  /** As last reported; null: it never was. */
  readonly isOn: boolean | null;
  /** Up to the earliest moment at which a trip may still turn out to have begun. */
  readonly countedMs: number;
  /** Since then, in order: from, until. */
  readonly since: readonly OnPeriod[];
}

type OnPeriod = readonly [from: number, until: number];

/** So many in the few minutes of a departure are a loose contact. */
const maxPeriods = 8;

export const neverReported: IgnitionTime = { isOn: null, countedMs: 0, since: [] };

/** With the next frame. The time before it counts if the ignition was on and `isSeen`: over a silence nobody knows. */
export function ignitionWith(
  time: IgnitionTime,
  { from, until, isSeen }: { readonly from: number; readonly until: number; readonly isSeen: boolean },
  reported: boolean | null,
): IgnitionTime {
  const isOn = reported ?? time.isOn;
  const isCounted = time.isOn === true && isSeen && until > from;
  if (!isCounted) return isOn === time.isOn ? time : { isOn, countedMs: time.countedMs, since: time.since };
  const last = time.since.at(-1);
  const joins = last !== undefined && last[1] === from;
  const since: readonly OnPeriod[] = joins
    ? [...time.since.slice(0, -1), [last[0], until]]
    : [...time.since, [from, until]];
  return { isOn, countedMs: time.countedMs, since };
}

/** No trip begins before this moment any more. */
export function ignitionSettled(time: IgnitionTime, until: number): IgnitionTime {
  const { isOn, countedMs, since } = time;
  const [first] = since;
  if (first === undefined || (first[0] >= until && since.length <= maxPeriods)) return time;
  const moment = since.length > maxPeriods ? Math.max(until, first[1]) : until;
  const left = since.flatMap(([from, to]): OnPeriod[] => (to > moment ? [[Math.max(from, moment), to]] : []));
  return { isOn, countedMs: countedMs + msBefore(since, moment), since: left };
}

/** In all, up to a moment; null if no frame said anything of it. */
export function ignitionOnMs({ isOn, countedMs, since }: IgnitionTime, until = Number.MAX_SAFE_INTEGER): number | null {
  return isOn === null ? null : countedMs + msBefore(since, until);
}

function msBefore(periods: readonly OnPeriod[], moment: number): number {
  return periods.reduce((sum, [from, until]) => sum + Math.max(0, Math.min(until, moment) - from), 0);
}
