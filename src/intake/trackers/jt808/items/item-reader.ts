import type { TrackerEvent } from "../../kit/events.ts";
import { eventsOfBits, type Jt808Report } from "../report.ts";
import { numberIn } from "../tlv.ts";

/** Puts what an item says into the report. False: this value has no meaning for us. */
export type ItemReader = (value: Uint8Array, report: Jt808Report) => boolean;

/** An item that is one number of this many bytes. */
export function sized(bytes: number, read: (number: number, report: Jt808Report) => void): ItemReader {
  return (value, report) => {
    if (value.length !== bytes) return false;
    read(numberIn(value), report);
    return true;
  };
}

/** Vendors use one number for different things: the first that fits. */
export function firstOf(...readers: readonly ItemReader[]): ItemReader {
  return (value, report) => readers.some((read) => read(value, report));
}

/** An item whose bits are alarms. */
export function alarmBits(bytes: number, eventByBit: Readonly<Record<number, TrackerEvent>>): ItemReader {
  return sized(bytes, (bits, report) => {
    for (const event of eventsOfBits(bits, eventByBit)) report.event(event);
  });
}

/** Above 100 it is no level: 255 means that it is charging. */
export const batteryLevel = sized(1, (percent, report) => {
  if (percent <= 100) report.battery(percent);
});
