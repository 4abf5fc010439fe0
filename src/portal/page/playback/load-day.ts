import { collect, dataPath } from "../api/pages.ts";
import type { Device, Position, Trip } from "../api/records.ts";
import { getJson } from "../api/request.ts";
import type { Window } from "./day.ts";

/** A frame a second for a whole day. */
const maxFrames = 86_400;
const maxTrips = 1000;

export interface Day {
  readonly device: Device;
  readonly frames: readonly Position[];
  /** The valid frames with a place: the way of the vehicle. */
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly trips: readonly Trip[];
}

export async function loadDay(deviceId: string, { from, to }: Window, signal: AbortSignal): Promise<Day> {
  const window = { device_id: deviceId, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const [device, history, trips] = await Promise.all([
    getJson<{ data: Device }>(dataPath(`devices/${deviceId}`), signal),
    collect<Position>("positions/history", { ...window, valid_only: "false" }, maxFrames, signal),
    collect<Trip>("trips", window, maxTrips, signal),
  ]);
  const frames = history.rows;
  return {
    device: device.data,
    frames,
    track: frames.filter(({ valid, latitude }) => valid && latitude !== null),
    rejected: frames.filter(({ valid }) => !valid),
    trips: trips.rows,
  };
}
