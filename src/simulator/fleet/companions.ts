import { imeiOf, simulatedId } from "./identity.ts";
import type { Vehicle } from "./roster.ts";

/** Devices beside the vehicles that drive: each shows something that happens to real fleets. */
export const companions = [
  /** A machine that a truck carries: moved, and never driven. */
  { key: "carried", name: "Loader 1", make: "Kramer", model: "5055", type: "wheel loader", tags: ["machine"] },
  /** Stands at the depot. Its tracker's clock is an hour slow. */
  { key: "slow_clock", name: "Generator 1", make: "Himoinsa", model: "HYW-20", type: "generator", tags: ["machine"] },
  /** Ordered: its tracker has never reported. */
  { key: "unseen", name: "Van on order", make: "Ford", model: "Transit", type: "van", tags: ["parcel"] },
] as const;

type Companion = (typeof companions)[number];

/** How much the slow clock shows, compared with the right one. */
export const slowClockMs = -3_600_000;

/** IMEIs and ids of vehicles are numbered from 0: these never meet them. */
const firstNumber = 900_000;

/** A small fleet has none. */
const leastVehicles = 40;

export interface CompanionIdentity {
  readonly companion: Companion;
  readonly deviceId: string;
  readonly imei: string;
}

export function identifyCompanions(seed: number, vehicles: readonly Vehicle[]): readonly CompanionIdentity[] {
  if (vehicles.length < leastVehicles) return [];
  return companions.map((companion, index) => ({
    companion,
    deviceId: simulatedId(seed, "device", firstNumber + index),
    imei: imeiOf(seed, firstNumber + index),
  }));
}

/** The one that carries the machine: a truck to which nothing else happens. */
export function carrierOf(vehicles: readonly Vehicle[]): Vehicle | undefined {
  return vehicles.find(({ kindName, quirk, isNocturnal }) => kindName === "truck" && quirk === null && !isNocturnal);
}
