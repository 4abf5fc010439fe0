import type { Database } from "../../src/store/database.ts";
import { Seed, type SeededAccount, type SeededDevice, type SeededUser } from "./seed.ts";
import { noon } from "./seed-rows.ts";

const minuteMs = 60_000;

/**
 * Two accounts and everybody who may look: an owner and two sub-accounts whose devices overlap, and the owner of
 * another account. `anna` sees the van and the truck, `ben` the truck and the car, the owner those and the trailer.
 */
export interface SeededFleet {
  readonly seed: Seed;
  readonly acme: SeededAccount;
  readonly owner: SeededUser;
  readonly anna: SeededUser;
  readonly ben: SeededUser;
  readonly van: SeededDevice;
  readonly truck: SeededDevice;
  readonly car: SeededDevice;
  readonly trailer: SeededDevice;
  readonly other: SeededAccount;
  readonly otherOwner: SeededUser;
  readonly otherVan: SeededDevice;
}

/** The people and the devices, not stored yet. */
export function newFleet(): SeededFleet {
  const seed = new Seed();
  const acme = seed.account({ name: "Acme" });
  const owner = seed.user(acme, { role: "owner", name: "Olga", email: "olga@acme.example" });
  const anna = seed.user(acme, { name: "Anna", email: "anna@acme.example" });
  const ben = seed.user(acme, { name: "Ben", email: "ben@acme.example" });
  const van = seed.device(acme, { name: "Van", plate: "B-AC 101", seenBy: [anna] });
  const truck = seed.device(acme, { name: "Truck", plate: "B-AC 102", seenBy: [anna, ben] });
  const car = seed.device(acme, { name: "Car", plate: "B-AC 103", status: "inactive", seenBy: [ben] });
  const trailer = seed.device(acme, { name: "Trailer", status: "blocked" });
  const other = seed.account({ name: "Other" });
  const otherOwner = seed.user(other, { role: "owner", name: "Otto", email: "otto@other.example" });
  const otherVan = seed.device(other, { name: "Van", plate: "B-AC 101" });
  return { seed, acme, owner, anna, ben, van, truck, car, trailer, other, otherOwner, otherVan };
}

/** Stores the fleet with one hour of everything for each device, from noon on. */
export async function seedFleet(database: Database): Promise<SeededFleet> {
  const fleet = newFleet();
  const { seed, acme, other, anna, van, truck, car, trailer, otherVan } = fleet;
  const depot = seed.geofence(acme, { name: "Depot", devices: [van, truck, trailer] });
  const harbour = seed.geofence(acme, { name: "Harbour", devices: [car] });
  const foreign = seed.geofence(other, { name: "Elsewhere", devices: [otherVan] });
  for (const [device, fence] of [
    [van, depot],
    [truck, depot],
    [car, harbour],
    [trailer, depot],
    [otherVan, foreign],
  ] as const) {
    seed.alertSettings(device, [
      { alertType: "speeding", enabled: true, severity: null, parameters: {}, geofenceIds: [] },
    ]);
    for (let minute = 0; minute < 60; minute += 10) {
      const recorded_at = noon + minute * minuteMs;
      seed.frame(device, { recorded_at });
      seed.frame(device, {
        recorded_at: recorded_at + 1_000,
        valid: false,
        reject_reason: "no_fix",
        latitude: null,
        longitude: null,
      });
      for (const kind of ["fuel", "temperature", "tyre"] as const) seed.reading(device, { recorded_at, kind });
    }
    seed.trip(device, { started_at: noon - 30 * minuteMs, ended_at: noon + 5 * minuteMs });
    const trip = seed.trip(device, { started_at: noon + 10 * minuteMs, ended_at: null });
    seed.alert(device, { occurred_at: noon });
    seed.alert(device, { occurred_at: noon + minuteMs, alert_type: "sos", severity: "critical" });
    if (device !== otherVan) {
      seed.alert(device, {
        occurred_at: noon + 2 * minuteMs,
        acknowledged_at: noon + 9 * minuteMs,
        acknowledged_by: anna.id,
      });
    }
    seed.crossing(device, fence, { occurred_at: noon + 10 * minuteMs });
    seed.crossing(device, fence, { occurred_at: noon + 40 * minuteMs, event_type: "exit", dwell_ms: 30 * minuteMs });
    seed.mileage(device);
    const geofence_ids_json = JSON.stringify(device === truck ? [] : [fence.id]);
    seed.position(device, { recorded_at: noon + 50 * minuteMs, trip_id: trip.id, geofence_ids_json });
  }
  await seed.save(database);
  return fleet;
}
