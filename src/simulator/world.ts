import { dayMs, dayOf } from "../domain/time/time.ts";
import { createFences } from "./fleet/fences.ts";
import { idOf } from "./fleet/identity.ts";
import { fleetRecords, type Identity, identify, people } from "./fleet/records.ts";
import { createRoster } from "./fleet/roster.ts";
import { mergeMessages } from "./merge.ts";
import type { SimulatedMessage } from "./messages.ts";
import { createWorkingDays } from "./plan/itinerary.ts";
import { createLedger } from "./plan/ledger.ts";
import { createRegion } from "./region/places.ts";
import type { Truth } from "./truth/truth.ts";
import { trueFences, vehicleTruth } from "./truth/vehicle-truth.ts";
import { VehicleDays } from "./vehicle-days.ts";

export type { CanonicalFrame, SimulatedMessage } from "./messages.ts";
export type { Truth, VehicleTruth } from "./truth/truth.ts";

export interface WorldOptions {
  readonly seed: number;
  readonly vehicles: number;
  /** UTC milliseconds: the world's first day begins at the midnight before. */
  readonly from: number;
}

/** A company and its vehicles. The same options give the same world, to the last digit. */
export interface World {
  /** The records of its fleet file. */
  readonly fleet: readonly object[];
  readonly accountId: string;
  readonly ownerEmail: string;
  /** As a server receives them, half-open. Made on demand, the last days cached: small windows in a row cost little. */
  messages(from: number, until: number): Iterable<SimulatedMessage>;
  /** What really happened in a window: on the roads that were driven, not according to the trackers. */
  truth(from: number, until: number): Truth;
}

export function createWorld({ seed, vehicles: count, from }: WorldOptions): World {
  const firstDay = dayOf(from);
  const region = createRegion(seed);
  const vehicles = createRoster(seed, count, region);
  const identities = identify(seed, vehicles);
  const fences = createFences(seed, region, vehicles);
  const working = createWorkingDays(seed, firstDay, region);
  const days = vehicles.map((vehicle, index) => {
    const plannedDay = createLedger(seed, vehicle, firstDay, region, working);
    const { imei } = identities[index] as Identity;
    return new VehicleDays({ seed, vehicle, imei, plannedDay, region, firstDayAt: firstDay * dayMs });
  });
  const measured = trueFences(fences);
  return {
    fleet: fleetRecords(seed, vehicles, identities, fences),
    accountId: idOf(seed, "account", 0),
    ownerEmail: people.owner.email,
    messages: (begin, end) => mergeMessages(days, begin, end),
    truth: (begin, end) => ({
      vehicles: days.map((vehicleDays, index) =>
        vehicleTruth(vehicleDays, identities[index] as Identity, measured, begin, end),
      ),
    }),
  };
}
