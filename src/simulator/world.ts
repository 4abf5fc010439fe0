import { dayMs, dayOf } from "../domain/time/time.ts";
import { companionDays } from "./companion-days.ts";
import { carrierOf, identifyCompanions } from "./fleet/companions.ts";
import { createCrews } from "./fleet/crews.ts";
import { createFences } from "./fleet/fences.ts";
import { simulatedId } from "./fleet/identity.ts";
import { fleetRecords, type Identity, identify, people } from "./fleet/records.ts";
import { createRoster } from "./fleet/roster.ts";
import { Heap } from "./heap.ts";
import type { SimulatedMessage } from "./messages.ts";
import { createWorkingDays } from "./plan/itinerary.ts";
import { createLedger } from "./plan/ledger.ts";
import { createRegion } from "./region/places.ts";
import type { Truth } from "./truth/truth.ts";
import { trueFences, vehicleTruth } from "./truth/vehicle-truth.ts";
import { type DaysOfTracker, SimulatedDays } from "./vehicle-days.ts";

export type { CanonicalFrame, SimulatedMessage } from "./messages.ts";
export type { Truth, VehicleTruth } from "./truth/truth.ts";

export interface WorldOptions {
  readonly seed: number;
  readonly vehicles: number;
  /** UTC milliseconds: the world's first day begins at the midnight before. */
  readonly from: number;
  /** The second has drivers with cards, and devices that nobody drives, too. The first unless given. */
  readonly edition?: 1 | 2;
}

/** A company and its vehicles. The same options give the same world, to the last digit. */
export interface World {
  /** The records of its fleet file. */
  readonly fleet: readonly object[];
  readonly accountId: string;
  readonly ownerEmail: string;
  /** Those of its vehicles, in the order of the fleet. */
  readonly imeis: readonly string[];
  /** As a server receives them, half-open. Made on demand, the last days cached: small windows in a row cost little. */
  messages(from: number, until: number): Iterable<SimulatedMessage>;
  /** The same of one vehicle, by its place in the fleet, with nothing cached: for those who go back in time. */
  messagesOf(vehicle: number, from: number, until: number): Iterable<SimulatedMessage>;
  /** What really happened in a window: on the roads that were driven, not according to the trackers. */
  truth(from: number, until: number): Truth;
}

export function createWorld({ seed, vehicles: count, from, edition = 1 }: WorldOptions): World {
  const firstDay = dayOf(from);
  const region = createRegion(seed);
  const vehicles = createRoster(seed, count, region);
  const identities = identify(seed, vehicles);
  const fences = createFences(seed, region, vehicles);
  const working = createWorkingDays(seed, firstDay, region);
  const crews = edition === 1 ? null : createCrews(seed, vehicles);
  const companions = edition === 1 ? [] : identifyCompanions(seed, vehicles);
  const crewOf = crews?.crewOf ?? null;
  const vehiclesInWorld = vehicles.map((vehicle, index) => {
    const plannedDay = createLedger(seed, vehicle, firstDay, region, working);
    const { imei } = identities[index] as Identity;
    return { seed, vehicle, imei, plannedDay, region, crewOf, firstDayAt: firstDay * dayMs };
  });
  const days = vehiclesInWorld.map((vehicle) => new SimulatedDays(vehicle));
  const measured = trueFences(fences);
  const sources = (all: readonly SimulatedDays[]): (DaysOfTracker | null)[] => {
    const carrier = all.find(({ vehicle }) => vehicle === carrierOf(vehicles));
    const depot = region.places.find(({ kind }) => kind === "depot");
    if (carrier === undefined || depot === undefined) return [...all];
    return [...all, ...companions.map((companion) => companionDays(companion, carrier, depot))];
  };
  const sending = sources(days);
  return {
    fleet: fleetRecords(seed, vehicles, identities, fences, { drivers: crews?.drivers ?? [], companions }),
    accountId: simulatedId(seed, "account", 0),
    ownerEmail: people.owner.email,
    imeis: [...identities, ...companions].map(({ imei }) => imei),
    messages: (begin, end) => mergeMessages(sending, begin, end),
    messagesOf: (index, begin, end) => {
      const alone = sources(vehiclesInWorld.map((vehicle) => new SimulatedDays(vehicle)))[index];
      return mergeMessages([alone ?? null], begin, end);
    },
    truth: (begin, end) => ({
      vehicles: days.map((vehicleDays, index) =>
        vehicleTruth(vehicleDays, identities[index] as Identity, measured, begin, end),
      ),
    }),
  };
}

interface Reader {
  readonly index: number;
  readonly days: DaysOfTracker;
  day: number;
  messages: readonly SimulatedMessage[];
  next: number;
  /** When the next one arrives. */
  at: number;
}

/** In the order of arrival, then by vehicle. It holds one day of each vehicle at a time. */
function* mergeMessages(
  vehicles: readonly (DaysOfTracker | null)[],
  from: number,
  until: number,
): Iterable<SimulatedMessage> {
  const heap = new Heap<Reader>((one, other) => one.at < other.at || (one.at === other.at && one.index < other.index));
  for (const [index, days] of vehicles.entries()) {
    if (days === null) continue;
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
