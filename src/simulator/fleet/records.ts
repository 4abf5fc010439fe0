import { mixed, purposes } from "../random.ts";
import { nominalKpa } from "../tracker/sensors.ts";
import type { CompanionIdentity } from "./companions.ts";
import type { SimulatedDriver } from "./crews.ts";
import type { SimulatedFence } from "./fences.ts";
import { imeiOf, nameOf, plateOf, simulatedId } from "./identity.ts";
import type { Vehicle } from "./roster.ts";

/** Who may sign in. The same in every world: it is printed where the demo starts. */
export const people = {
  owner: { email: "demo@odograph.example", name: "Mara Brandt", password: "odograph-demo" },
  north: { email: "north@odograph.example", name: "North depot", password: "odograph-north" },
  cold: { email: "cold@odograph.example", name: "Cold chain", password: "odograph-cold" },
} as const;

const companyName = "Spreebogen Logistics";

/** A vehicle's own fields in the fleet file. */
export interface Identity {
  readonly deviceId: string;
  readonly imei: string;
  readonly name: string;
}

export function identify(seed: number, vehicles: readonly Vehicle[]): readonly Identity[] {
  const numbers = new Map<string, number>();
  return vehicles.map((vehicle) => {
    const number = (numbers.get(vehicle.kindName) ?? 0) + 1;
    numbers.set(vehicle.kindName, number);
    const { index } = vehicle;
    return { deviceId: simulatedId(seed, "device", index), imei: imeiOf(seed, index), name: nameOf(vehicle, number) };
  });
}

/** What only the second edition has. */
interface Beside {
  readonly drivers: readonly SimulatedDriver[];
  readonly companions: readonly CompanionIdentity[];
}

export function fleetRecords(
  seed: number,
  vehicles: readonly Vehicle[],
  identities: readonly Identity[],
  fences: readonly SimulatedFence[],
  { drivers, companions }: Beside,
): readonly object[] {
  const account_id = simulatedId(seed, "account", 0);
  const [owner, north, cold] = [0, 1, 2].map((number) => simulatedId(seed, "user", number));
  const user = (id: string | undefined, role: string, person: (typeof people)[keyof typeof people]) => ({
    type: "user",
    id,
    account_id,
    ...person,
    role,
  });
  const idAt = (index: number) => (identities[index] as Identity).deviceId;
  return [
    { type: "account", id: account_id, name: companyName, limits: { per_second: 50, per_day: 200_000 } },
    user(owner, "owner", people.owner),
    user(north, "sub_account", people.north),
    user(cold, "sub_account", people.cold),
    ...vehicles.map((vehicle) => ({
      type: "device",
      id: idAt(vehicle.index),
      account_id,
      ...deviceFields(seed, vehicle, identities[vehicle.index] as Identity),
      user_ids: viewersOf(vehicle, north, cold),
    })),
    ...companions.map(({ companion: { name, make, model, type, tags }, deviceId, imei }) => ({
      type: "device",
      id: deviceId,
      account_id,
      imei,
      name,
      vehicle_make: make,
      vehicle_model: model,
      vehicle_type: type,
      tags,
    })),
    ...drivers.flatMap(({ id, name, card }) =>
      name === null ? [] : [{ type: "driver", id, account_id, name, driver_ids: [card] }],
    ),
    ...fences.map(({ vehicles: assigned, ...fence }) => ({
      type: "geofence",
      account_id,
      ...fence,
      device_ids: assigned.map(idAt),
    })),
    ...vehicles.map((vehicle) => ({
      type: "alert_settings",
      device_id: idAt(vehicle.index),
      rules: rulesOf(vehicle, fences),
    })),
    ...companions.map(({ deviceId }) => ({
      type: "alert_settings",
      device_id: deviceId,
      // It is moved every day, and nobody steals it.
      rules: [{ alert_type: "towing", enabled: false }],
    })),
    ...sharedRules(account_id, vehicles),
  ];
}

/** Service vans stand at night and on Sundays; some are taken all the same. */
function sharedRules(account_id: string, vehicles: readonly Vehicle[]): readonly object[] {
  if (!vehicles.some(({ kindName }) => kindName === "service")) return [];
  const times = {
    within: [
      { days: ["mon", "tue", "wed", "thu", "fri", "sat"], from: "22:00", until: "04:00" },
      { days: ["sun"], from: "00:00", until: "00:00" },
    ],
    dates_off: ["2026-12-25", "2026-12-26", "2027-01-01"],
  };
  const rule = { alert_type: "unauthorised_movement", parameters: { times } };
  return [{ type: "alert_settings", account_id, tag: "service", rules: [rule] }];
}

function deviceFields(seed: number, vehicle: Vehicle, { imei, name }: Identity): object {
  const { index, kind, kindName, depot } = vehicle;
  const chance = mixed(seed, purposes.identity, index, 2);
  const [make, model] = kind.models[chance % kind.models.length] as readonly [string, string];
  const isContainer = kindName === "container";
  return {
    imei,
    name,
    plate: isContainer ? null : plateOf(seed, index),
    vehicle_make: make,
    vehicle_model: model,
    vehicle_year: 2017 + (chance % 8),
    vehicle_type: kind.vehicleType,
    tracker_model: isContainer ? "TAT140" : kind.systemVoltage === 24 ? "FMC650" : "FMC130",
    ...wireFields(vehicle, imei),
    fuel_tank_capacity_l: kind.tankL > 0 ? kind.tankL : null,
    tags: [kindName, ...(depot.kind === "depot" ? [depot.name.toLowerCase()] : [])],
    external_ids: { erp: `V-${String(index + 1).padStart(4, "0")}` },
  };
}

const wireTrackers = [
  { tracker_protocol: "gt06", tracker_model: "GT06N" },
  { tracker_protocol: "jt808", tracker_model: "JT701" },
  { tracker_protocol: "teltonika", tracker_model: "FMC130" },
] as const;

/** Vehicles of which such a tracker can say everything call the server themselves; the others send by a gateway. */
function wireFields(vehicle: Vehicle, imei: string): object {
  const { index, quirk, knowsIgnition, hasFuelSensor, hasTyreSensors, cargoTemperatureC } = vehicle;
  if (quirk !== null || !knowsIgnition || hasFuelSensor || hasTyreSensors || cargoTemperatureC !== null) return {};
  const tracker = wireTrackers[index % wireTrackers.length] as (typeof wireTrackers)[number];
  // The number of its SIM card.
  return tracker.tracker_protocol === "jt808" ? { ...tracker, tracker_id: `1${imei.slice(-10)}` } : tracker;
}

function viewersOf({ depot, kindName }: Vehicle, north: string | undefined, cold: string | undefined): unknown[] {
  if (kindName === "reefer") return [cold];
  return depot.name === "North depot" ? [north] : [];
}

function rulesOf(vehicle: Vehicle, fences: readonly SimulatedFence[]): object[] {
  const { kind, kindName, index, cargoTemperatureC, hasTyreSensors } = vehicle;
  const own = fences.filter((fence) => fence.vehicles.includes(index));
  const rules: object[] = [];
  const named = own.filter(({ name }) => name === "Inner city" || name === vehicle.depot.name).map(({ id }) => id);
  if (named.length > 0) {
    rules.push({ alert_type: "geofence_enter", geofence_ids: named });
    rules.push({ alert_type: "geofence_exit", geofence_ids: named });
  }
  if (kindName !== "container") rules.push({ alert_type: "speeding", parameters: { limit_kmh: kind.capKmh ?? 130 } });
  if (kind.systemVoltage === 24) rules.push({ alert_type: "low_external_voltage", parameters: { nominal_v: 24 } });
  if (cargoTemperatureC !== null) {
    rules.push({ alert_type: "temperature_high", parameters: { above_c: cargoTemperatureC + 5, sensor: "cargo" } });
    rules.push({ alert_type: "temperature_low", parameters: { below_c: cargoTemperatureC - 5, sensor: "cargo" } });
  }
  if (hasTyreSensors) rules.push({ alert_type: "tyre_pressure_low", parameters: { nominal_kpa: nominalKpa } });
  return rules;
}
