import { trackerKey } from "../../../domain/text/identifiers.ts";
import { to } from "../../both-sides/address.ts";
import type { Device, LatestPosition } from "../../both-sides/contract/data.ts";
import type { TrackerFaultRecord } from "../../both-sides/contract/trackers.ts";
import { getPage } from "../api/pages.ts";
import { getJson, send } from "../api/request.ts";
import type { ConnectionFacts } from "./connection.ts";
import { loadExpected } from "./expected-trackers.tsx";
import type { Identity } from "./identity-form.tsx";

/** What the server knows of a tracker that somebody waits for. */
export interface Arrival extends ConnectionFacts {
  readonly vehicle: Device | null;
  readonly position: LatestPosition | null;
  readonly fault: TrackerFaultRecord | null;
}

export async function lookFor({ imei, id }: Identity, signal: AbortSignal): Promise<Arrival> {
  const keys = [imei, id].filter((name) => name !== "").map(trackerKey);
  const expected = (await loadExpected(signal)).filter(({ tracker }) => keys.includes(trackerKey(tracker)));
  const deviceId = expected.find(({ device_id }) => device_id !== null)?.device_id ?? null;
  if (deviceId === null) return { expected, vehicle: null, position: null, messages: [], fault: null };
  const { data: vehicle } = await getJson(to("GET /data/devices/{device_id}", { device_id: deviceId }), signal);
  const [{ data: positions }, { data: messages }, { data: faults }] = await Promise.all([
    getPage("positions/latest", { imei: vehicle.imei }, signal),
    send(to("POST /fleet/devices/{device_id}/tracker-messages", { device_id: deviceId }), undefined, signal),
    getJson("GET /tracker-faults", signal),
  ]);
  const fault = faults.find(({ device_id }) => device_id === deviceId) ?? null;
  return { expected, vehicle, position: positions[0] ?? null, messages, fault };
}
