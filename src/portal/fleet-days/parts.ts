import { isEmbedded, type Reader } from "../../store/database.ts";

/** Days of the account's zone, both included, counted from 1970-01-01. */
export interface InclusiveDays {
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Days of a device that SQLite sums up in a few milliseconds, alerts and trips included. */
const deviceDaysPerPart = 1_500;
const maxDevicesPerPart = 500;

/**
 * How many devices to sum up at a time. SQLite answers in our own thread, and others want to be answered in between;
 * PostgreSQL does not hold anybody up.
 */
export function devicesPerPart(reader: Reader, { firstDay, lastDay }: InclusiveDays): number {
  if (!isEmbedded(reader)) return maxDevicesPerPart;
  const devices = Math.floor(deviceDaysPerPart / (lastDay - firstDay + 1));
  return Math.min(Math.max(devices, 1), maxDevicesPerPart);
}

export function* partsOfSize<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
