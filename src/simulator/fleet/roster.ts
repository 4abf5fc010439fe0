import { purposes, Random } from "../random.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { type VehicleKind, type VehicleKindName, vehicleKinds } from "./vehicle-kinds.ts";

/** What happens to one vehicle of the fleet and to no other; when is in `plan/special-days.ts`. */
export type Quirk =
  | "puncture"
  | "theft"
  | "towed"
  | "cached"
  | "shipped"
  | "dies"
  | "speeds"
  | "sos"
  | "weak_battery"
  | "door_open"
  | "buffers";

export interface Vehicle {
  readonly index: number;
  readonly kindName: VehicleKindName;
  readonly kind: VehicleKind;
  readonly quirk: Quirk | null;
  /** When it leaves, in local hours. */
  readonly shiftStart: readonly [number, number];
  readonly isNocturnal: boolean;
  /** Its home; it spends the night in its bay. */
  readonly depot: StopPlace;
  readonly bay: number;
  /** Where its customers are, the nearest first. */
  readonly customers: readonly StopPlace[];
  readonly knowsIgnition: boolean;
  /** In kilometres; null: it sends none. */
  readonly odometerStep: number | null;
  /** Kilometres that its odometer counts per real kilometre. */
  readonly odometerFactor: number;
  readonly odometerBaseKm: number;
  readonly hasFuelSensor: boolean;
  readonly cargoTemperatureC: number | null;
  readonly hasTyreSensors: boolean;
  /** How often it sends while moving. */
  readonly intervalSeconds: number;
  readonly heartbeatMinutes: number;
  /** Its driver's speed, relative to the limit. */
  readonly driverFactor: number;
}

type Shift = "usual" | "late" | "night";

/** When the other shifts begin, in local hours. */
const shiftStarts: Readonly<Record<Exclude<Shift, "usual">, readonly [number, number]>> = {
  late: [12, 14],
  night: [19.5, 22],
};

/** After forty vehicles the list repeats, without the special ones. It begins with one of each kind, for small fleets. */
const roster: readonly (readonly [VehicleKindName, Quirk | null, Shift?])[] = [
  ["truck", "puncture"],
  ["reefer", "door_open"],
  ["shuttle", null],
  ["car", "towed"],
  ["truck", "theft"],
  ["parcel", "cached"],
  ["container", "shipped"],
  ["parcel", "buffers"],
  ["car", "speeds"],
  ["service", "sos"],
  ["parcel", "dies"],
  ["linehaul", null, "night"],
  ["tourer", null],
  ["service", "weak_battery"],
  ["parcel", null, "late"],
  ["car", null],
  ["truck", null],
  ["parcel", null, "night"],
  ["service", null],
  ["parcel", null, "late"],
  ["reefer", null],
  ["parcel", null],
  ["car", null, "late"],
  ["parcel", null],
  ["shuttle", null, "late"],
  ["parcel", null, "late"],
  ["truck", null],
  ["parcel", null],
  ["car", null],
  ["parcel", null, "late"],
  ["service", null, "late"],
  ["parcel", null],
  ["truck", null, "night"],
  ["car", null],
  ["parcel", null, "night"],
  ["shuttle", null, "night"],
  ["parcel", null, "late"],
  ["car", null],
  ["service", null],
  ["parcel", null, "night"],
];

export function createRoster(seed: number, count: number, region: Region): readonly Vehicle[] {
  const { places, routes } = region;
  const roles = Array.from({ length: count }, (_, index) => roster[index % roster.length] as (typeof roster)[number]);
  // All bays are built before the first route is computed, because routes are cached.
  const bays = roles.map(([kindName], index) => buildBay(seed, index, depotOf(kindName, index, places), region));
  return roles.map(([kindName, ownQuirk, shift = "usual"], index) => {
    const random = new Random(seed, purposes.fleet, index);
    const kind = vehicleKinds[kindName];
    const quirk = index < roster.length ? ownQuirk : null;
    const depot = depotOf(kindName, index, places);
    const district = kindName === "parcel" ? random.pick(places.filter((place) => place.kind === "customer")) : depot;
    const isTruck = kind.systemVoltage === 24;
    return {
      index,
      kindName,
      kind,
      quirk,
      shiftStart: shift === "usual" ? kind.shiftStart : shiftStarts[shift],
      isNocturnal: shift === "night",
      depot,
      bay: bays[index] as number,
      customers: customersOf(kindName, district, places, routes),
      knowsIgnition: kindName !== "container" && !(kindName === "car" && quirk === null && index % 2 === 0),
      odometerStep: kindName === "container" || random.chance(0.2) ? null : random.pick([0.001, 0.001, 0.1]),
      odometerFactor: random.between(0.994, 1.006),
      odometerBaseKm: Math.round(random.between(8_000, isTruck ? 480_000 : 160_000)),
      hasFuelSensor: isTruck || (kindName === "parcel" && random.chance(0.4)),
      cargoTemperatureC: kindName === "reefer" ? (random.chance(0.5) ? -20 : 4) : null,
      hasTyreSensors: quirk === "puncture" || kindName === "linehaul",
      intervalSeconds: random.pick([10, 15, 20, 30, 30]),
      heartbeatMinutes: random.whole(30, 55),
      driverFactor: random.between(0.88, 0.99),
    };
  });
}

function buildBay(seed: number, index: number, depot: StopPlace, { network }: Region): number {
  if (depot.kind === "home") return depot.node;
  const random = new Random(seed, purposes.fleet, index, 1);
  return network.addBay(depot.node, random.between(12, 70), random.between(0, 360));
}

function depotOf(kindName: VehicleKindName, index: number, places: readonly StopPlace[]): StopPlace {
  const named = (name: string) => {
    const place = places.find((candidate) => candidate.name === name);
    if (place === undefined) throw new Error(`no place ${name}`);
    return place;
  };
  switch (kindName) {
    case "reefer":
      return named("Cold store");
    case "shuttle":
      return named("North depot");
    case "container":
    case "linehaul":
    case "tourer":
    case "truck":
      return named("South depot");
    case "car": {
      const homes = places.filter(({ kind }) => kind === "home");
      return homes[index % homes.length] as StopPlace;
    }
    case "parcel":
    case "service":
      return named(index % 3 === 1 ? "South depot" : "North depot");
  }
}

function customersOf(
  kindName: VehicleKindName,
  around: StopPlace,
  places: readonly StopPlace[],
  routes: Region["routes"],
): readonly StopPlace[] {
  const { districtKm } = vehicleKinds[kindName];
  const byWay = places
    .filter(({ kind }) => kind === "customer")
    .map((place) => ({ place, metres: routes.metres(place.node, around.node) }))
    .toSorted((one, other) => one.metres - other.metres);
  const near = byWay.filter(({ metres }) => metres <= districtKm * 1000);
  // A district has enough customers, however far away the last of them is.
  return byWay.slice(0, Math.max(near.length, Math.min(24, byWay.length))).map(({ place }) => place);
}
