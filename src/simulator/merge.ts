import type { SimulatedMessage } from "./messages.ts";
import type { VehicleDays } from "./vehicle-days.ts";

/** Where one vehicle's messages are read. */
interface Reader {
  readonly days: VehicleDays;
  day: number;
  messages: readonly SimulatedMessage[];
  next: number;
}

/**
 * The messages of all vehicles in the order of their arrival, and by vehicle within the same moment. It holds one day of
 * each vehicle at a time.
 */
export function* mergeMessages(
  vehicles: readonly VehicleDays[],
  from: number,
  until: number,
): Iterable<SimulatedMessage> {
  const readers: Reader[] = [];
  for (const days of vehicles) {
    const reader: Reader = { days, day: days.dayAt(from), messages: [], next: 0 };
    reader.messages = days.beginsAt(reader.day) < until ? days.sent(reader.day).messages : [];
    reader.next = firstFrom(reader.messages, from);
    readers.push(reader);
  }
  const heap = new ArrivalHeap(readers.length);
  for (const [index, reader] of readers.entries()) {
    const at = arrivalOf(reader, until);
    if (at < until) heap.push(index, at);
  }
  while (heap.size > 0) {
    const index = heap.first;
    const reader = readers[index] as Reader;
    yield reader.messages[reader.next++] as SimulatedMessage;
    const at = arrivalOf(reader, until);
    if (at < until) heap.replaceFirst(index, at);
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

/** Vehicles by when their next message arrives, then by their number (a binary heap). */
class ArrivalHeap {
  readonly #ids: Int32Array;
  readonly #times: Float64Array;
  size = 0;

  constructor(capacity: number) {
    this.#ids = new Int32Array(capacity);
    this.#times = new Float64Array(capacity);
  }

  get first(): number {
    return this.#ids[0] as number;
  }

  push(id: number, at: number): void {
    let index = this.size++;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(id, at, parent)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#set(index, id, at);
  }

  replaceFirst(id: number, at: number): void {
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.size) break;
      const right = child + 1;
      if (right < this.size && this.#isBefore(this.#ids[right] as number, this.#times[right] as number, child)) {
        child = right;
      }
      if (this.#isBefore(id, at, child)) break;
      this.#move(child, index);
      index = child;
    }
    this.#set(index, id, at);
  }

  removeFirst(): void {
    this.size--;
    if (this.size > 0) this.replaceFirst(this.#ids[this.size] as number, this.#times[this.size] as number);
  }

  #isBefore(id: number, at: number, other: number): boolean {
    const otherAt = this.#times[other] as number;
    return at < otherAt || (at === otherAt && id < (this.#ids[other] as number));
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#ids[from] as number, this.#times[from] as number);
  }

  #set(index: number, id: number, at: number): void {
    this.#ids[index] = id;
    this.#times[index] = at;
  }
}
