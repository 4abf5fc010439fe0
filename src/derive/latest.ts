import { fencesShown } from "../domain/crossings/crossings.ts";
import type { DeviceContext } from "../domain/device-context.ts";
import type { StagesState } from "../domain/stages.ts";
import { openTrip } from "../domain/trips/trips.ts";
import { reportedText } from "../store/blocks/frame-digest.ts";
import type { Reader } from "../store/database.ts";
import { type FactOwner, scaled, tripId } from "../store/fact-table.ts";
import { isSameRow } from "../store/facts/facts.ts";
import { type LatestRow, storedLatest } from "../store/frames/latest.ts";
import type { TrackedContext } from "./context.ts";

const nothingYet: LatestRow = {
  recorded_at: null,
  received_at: null,
  fields_json: null,
  odometer_m: null,
  discontinuity: null,
  ignition_since: null,
  trip_id: null,
  geofence_ids_json: null,
  driver_id: null,
};

/** The live state of a device, from the state after its last frame. */
export function latestOf(
  owner: FactOwner,
  { fences }: DeviceContext,
  tip: StagesState,
  silentAt: number | null,
): LatestRow {
  const { frame, discontinuity, ignition, odometerKm } = tip.live;
  if (frame === null) return nothingYet;
  const trip = openTrip(tip.trips, silentAt);
  const { latitude, longitude } = frame;
  const hasPlace = latitude !== null && longitude !== null;
  const inside = hasPlace ? fencesShown(tip.crossings, { at: frame.recordedAt, latitude, longitude }, fences) : [];
  return {
    recorded_at: frame.recordedAt,
    received_at: frame.receivedAt,
    fields_json: reportedText(frame),
    odometer_m: scaled(odometerKm, 1000),
    discontinuity,
    ignition_since: frame.ignition === null ? null : (ignition?.since ?? null),
    trip_id: trip === null || trip.endedAt !== null ? null : tripId(owner, trip.foundAt),
    geofence_ids_json: inside.length === 0 ? "[]" : JSON.stringify(inside),
    driver_id: frame.driver_id ?? null,
  };
}

/** The live state, if it differs from what is stored. */
export async function changedLatest(
  reader: Reader,
  tracked: TrackedContext,
  tip: StagesState,
  silentAt: number | null,
): Promise<LatestRow | null> {
  const latest = latestOf(tracked, tracked.derivation, tip, silentAt);
  const stored = await storedLatest(reader, tracked);
  return stored !== null && isSameRow({ ...stored }, { ...latest }) ? null : latest;
}
