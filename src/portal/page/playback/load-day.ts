import { to } from "../../both-sides/address.ts";
import type { Alert, Device, FollowedChange, Position, Trip } from "../../both-sides/contract/data.ts";
import type { DayWindow } from "../../both-sides/periods/days.ts";
import { collect } from "../api/pages.ts";
import { getJson } from "../api/request.ts";

/** A frame a second for a whole day. */
const maxFrames = 86_400;
const maxTrips = 1000;
/** More alerts of one vehicle in a day than anybody looks at here. */
const maxAlerts = 1000;

export interface Day {
  readonly device: Device;
  readonly frames: readonly Position[];
  /** The valid frames with a place: the way of the vehicle. */
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly trips: readonly Trip[];
  readonly alerts: readonly Alert[];
}

/** What a day of a vehicle is made of, as it changes. */
export const dayTypes = ["position", "trip", "alert"] as const;
export type DayChange = FollowedChange<(typeof dayTypes)[number]>;

export async function loadDay(deviceId: string, window: DayWindow, signal: AbortSignal): Promise<Day> {
  const [{ data: device }, frames, facts] = await Promise.all([
    getJson(to("GET /data/devices/{device_id}", { device_id: deviceId }), signal),
    loadFrames(deviceId, window, signal),
    loadFacts(deviceId, window, signal),
  ]);
  return dayOf(device, frames, facts);
}

/** The day after some changes: only the frames from the first changed one on are loaded again. */
export async function withDayChanges(
  day: Day,
  changes: readonly DayChange[],
  window: DayWindow,
  signal: AbortSignal,
): Promise<Day> {
  const { device } = day;
  const since = firstChangedFrame(changes, window);
  const [frames, facts] = await Promise.all([
    since === null ? day.frames : loadFrames(device.device_id, { from: since, to: window.to }, signal),
    loadFacts(device.device_id, window, signal),
  ]);
  if (since === null) return { ...day, ...facts };
  const before = day.frames.filter(({ recorded_at }) => Date.parse(recorded_at) < since);
  return dayOf(device, [...before, ...frames], facts);
}

/** From where on frames of this day are not as they were; null: all are. Which frame was removed is not said. Pure. */
export function firstChangedFrame(changes: readonly DayChange[], { from, to }: DayWindow): number | null {
  const moments = changes.flatMap(({ type, record }) =>
    type !== "position" ? [] : [record === null ? from : Date.parse(record.recorded_at)],
  );
  return moments.reduce<number | null>(
    (first, at) => (at < from || at >= to || (first !== null && first <= at) ? first : at),
    null,
  );
}

async function loadFrames(deviceId: string, window: DayWindow, signal: AbortSignal): Promise<readonly Position[]> {
  const parameters = { ...parametersOf(deviceId, window), valid_only: "false" };
  return (await collect("positions/history", parameters, maxFrames, signal)).rows;
}

async function loadFacts(deviceId: string, window: DayWindow, signal: AbortSignal) {
  const parameters = parametersOf(deviceId, window);
  const [trips, alerts] = await Promise.all([
    collect("trips", parameters, maxTrips, signal),
    collect("alerts", parameters, maxAlerts, signal),
  ]);
  return { trips: trips.rows, alerts: alerts.rows };
}

function parametersOf(deviceId: string, { from, to }: DayWindow) {
  return { device_id: deviceId, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function dayOf(device: Device, frames: readonly Position[], facts: Pick<Day, "trips" | "alerts">): Day {
  return {
    device,
    frames,
    track: frames.filter(({ valid, latitude }) => valid && latitude !== null),
    rejected: frames.filter(({ valid }) => !valid),
    ...facts,
  };
}
