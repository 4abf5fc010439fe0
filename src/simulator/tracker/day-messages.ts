import { formatInstant } from "../../domain/time/time.ts";
import type { CanonicalFrame, SimulatedMessage } from "../messages.ts";
import { purposes, Random } from "../random.ts";
import type { Fault, FaultKind } from "../truth/truth.ts";
import { DayFaults } from "./faults.ts";
import { FrameMaker } from "./frames.ts";
import { type DayOfTracker, takeMoments } from "./moments.ts";

/** All that a tracker sends in a day, in the order of arrival, and what is wrong with it. */
export interface DayMessages {
  readonly messages: readonly SimulatedMessage[];
  readonly faults: readonly Fault[];
  readonly events: readonly { readonly type: string; readonly at: number }[];
}

const duplicateChance = 0.008;
/** The link comes back some seconds after the network does. */
const reconnectMs = 4_000;

export function sendDay(day: DayOfTracker): DayMessages {
  const { seed, vehicle, timeline } = day;
  const random = new Random(seed, purposes.tracker, vehicle.index, timeline.day);
  const maker = new FrameMaker(day, random);
  const faults = new DayFaults(day);
  const journal = new FaultJournal();
  const events: { type: string; at: number }[] = [];
  const messages: SimulatedMessage[] = [];
  const delayed: CanonicalFrame[] = [];
  const { outage } = faults;
  const latest = timeline.endsAt - 1;
  for (const moment of takeMoments(timeline, vehicle, day.network, random)) {
    const { at } = moment;
    const disturbance = faults.at(moment);
    if (faults.isSilentAt(at)) continue;
    const isDelayed = outage !== null && at >= outage.from && at < outage.until;
    const arrivesAt = isDelayed ? Math.floor(outage.until + reconnectMs) : at + Math.floor(random.between(400, 3_500));
    const frame = maker.frame(moment, disturbance, arrivesAt);
    if (maker.event !== undefined) events.push({ type: maker.event, at });
    if (disturbance !== null) journal.note(disturbance.kind, at);
    if (isDelayed) {
      delayed.push(frame);
      journal.note("buffered_burst", at);
      continue;
    }
    messages.push({ arrivesAt, frames: [frame] });
    if (random.chance(duplicateChance)) {
      const againAt = Math.min(latest, arrivesAt + Math.floor(random.between(1_000, 30_000)));
      messages.push({ arrivesAt: againAt, frames: [{ ...frame, received_at: formatInstant(againAt) }] });
      journal.note("duplicate", at);
    }
  }
  if (outage !== null && delayed.length > 0) {
    messages.push({ arrivesAt: Math.floor(outage.until + reconnectMs), frames: delayed });
  }
  messages.sort((one, other) => one.arrivesAt - other.arrivesAt);
  return { messages, faults: journal.faults(), events };
}

/** Frames of one fault that follow each other within this are one occurrence of it. */
const sameOccurrenceMs = 180_000;

class FaultJournal {
  readonly #open = new Map<FaultKind, { at: number; until: number; frames: number[] }>();
  readonly #over: Fault[] = [];

  note(kind: FaultKind, at: number): void {
    const open = this.#open.get(kind);
    const isSingle = kind === "duplicate" || kind === "spike";
    const isSame = open !== undefined && (kind === "buffered_burst" || at - open.until <= sameOccurrenceMs);
    if (isSame && !isSingle) {
      open.until = at;
      open.frames.push(at);
      return;
    }
    if (open !== undefined) this.#over.push({ kind, ...open });
    this.#open.set(kind, { at, until: at, frames: [at] });
  }

  faults(): Fault[] {
    for (const [kind, open] of this.#open) this.#over.push({ kind, ...open });
    return this.#over.sort((one, other) => one.at - other.at);
  }
}
