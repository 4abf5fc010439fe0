import { Heap } from "./heap.ts";
import type { SimulatedMessage } from "./messages.ts";
import type { VehicleDays } from "./vehicle-days.ts";

/** Where one vehicle's messages are read. */
interface Reader {
  readonly index: number;
  readonly days: VehicleDays;
  day: number;
  messages: readonly SimulatedMessage[];
  next: number;
  /** When the next one arrives. */
  at: number;
}

/** In the order of arrival, then by vehicle. It holds one day of each vehicle at a time. */
export function* mergeMessages(
  vehicles: readonly VehicleDays[],
  from: number,
  until: number,
): Iterable<SimulatedMessage> {
  const heap = new Heap<Reader>((one, other) => one.at < other.at || (one.at === other.at && one.index < other.index));
  for (const [index, days] of vehicles.entries()) {
    const day = days.dayAt(from);
    const messages = days.beginsAt(day) < until ? days.sent(day).messages : [];
    const reader: Reader = { index, days, day, messages, next: firstFrom(messages, from), at: 0 };
    reader.at = arrivalOf(reader, until);
    if (reader.at < until) heap.push(reader);
  }
  for (let reader = heap.first; reader !== undefined; reader = heap.first) {
    yield reader.messages[reader.next++] as SimulatedMessage;
    reader.at = arrivalOf(reader, until);
    if (reader.at < until) heap.replaceFirst(reader);
    else heap.removeFirst();
  }
}

/** When the reader's next message arrives, from a later day if necessary; infinite if none does in time. */
function arrivalOf(reader: Reader, until: number): number {
  for (;;) {
    const message = reader.messages[reader.next];
    if (message !== undefined) return message.arrivesAt;
    if (reader.days.endsAt(reader.day) >= until) return Number.POSITIVE_INFINITY;
    reader.day++;
    reader.messages = reader.days.sent(reader.day).messages;
    reader.next = 0;
  }
}

function firstFrom(messages: readonly SimulatedMessage[], from: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle] as SimulatedMessage).arrivesAt < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
