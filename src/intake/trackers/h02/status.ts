import type { TrackerEvent } from "../kit/events.ts";

/** The four bytes of the vehicle's state, most significant first. In negative logic: an alarm is a bit that is 0. */
export interface H02Status {
  /** Null: the tracker does not use the field. */
  readonly ignition: boolean | null;
  readonly events: readonly TrackerEvent[];
  /** Bits that are 0 and mean something else for each maker. */
  readonly unread: readonly string[];
}

/** The bits on which makers agree. Bit 18 is SOS in the older description and for most of those who set it. */
const alarms: ReadonlyMap<number, TrackerEvent> = new Map([
  [0, "vibration"],
  [1, "sos"],
  [2, "overspeed"],
  [18, "sos"],
  [19, "power_cut"],
]);
const ignitionBit = 10;

export function statusOf(bits: number): H02Status {
  // Every alarm at once cannot be: a tracker that does not use the field sends zeros.
  if (bits === 0) return { ignition: null, events: [], unread: ["status, all bits 0"] };
  const isZero = (bit: number) => ((bits >>> bit) & 1) === 0;
  const events: TrackerEvent[] = [];
  const unread: string[] = [];
  for (let bit = 0; bit < 32; bit++) {
    if (bit === ignitionBit || !isZero(bit)) continue;
    const alarm = alarms.get(bit);
    if (alarm === undefined) unread.push(`status bit ${bit}`);
    else events.push(alarm);
  }
  return { ignition: !isZero(ignitionBit), events, unread };
}

/**
 * Levels of the tracker's own battery, from 1 (empty) to 6 (full), as percent; from 7 on it is a percentage. 0 is sent by trackers
 * that do not know it. The steps are those that other gateways use, too.
 */
export function batteryPercent(level: number): number | null {
  if (level >= 7 && level <= 100) return level;
  return [null, 0, 10, 20, 60, 80, 100][level] ?? null;
}
