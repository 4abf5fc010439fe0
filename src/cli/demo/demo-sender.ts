import type { Observe } from "../../observe/observation.ts";
import { repeat } from "../../observe/repeat.ts";
import type { CanonicalFrame } from "../../simulator/messages.ts";
import { deliver } from "../../simulator/sender.ts";
import { isWireProtocol, type WireDevice, WireVehicle } from "../../simulator/wire/wire-vehicle.ts";
import type { World } from "../../simulator/world.ts";
import type { Database } from "../../store/database.ts";
import { trackersOfAccount } from "../../store/fleet/tracker-names.ts";
import type { Listening } from "../serving/run-server.ts";

/** How often the vehicles' frames are sent. */
const tickMs = 3_000;
const maxPerRequest = 500;

/** A vehicle that calls the server itself, and the newest frame of it that is stored. */
export interface CallingVehicle extends WireDevice {
  readonly storedUntil: number;
}

/** Those of the account whose protocol the simulator speaks. */
export async function callingVehicles(database: Database, accountId: number): Promise<readonly CallingVehicle[]> {
  const trackers = await trackersOfAccount(database, accountId);
  return trackers.flatMap(({ imei, tracker_id, tracker_protocol: protocol, recorded_at }) =>
    isWireProtocol(protocol) ? [{ imei, trackerId: tracker_id, protocol, storedUntil: recorded_at ?? 0 }] : [],
  );
}

interface DemoFleet {
  readonly world: World;
  /** Of the ingest port. */
  readonly token: string;
  /** Frames from this time on have not been sent yet. */
  readonly since: number;
  readonly calling: readonly CallingVehicle[];
}

/** Sends the vehicles' frames over the network, as trackers and gateways would. Returns the function that stops it. */
export function sendFrames(
  { world, token, since, calling }: DemoFleet,
  { ingestUrl: url, trackerPorts }: Listening,
  observe: Observe,
): () => Promise<void> {
  const connected = calling.flatMap((device) => {
    const port = trackerPorts[device.protocol];
    return port === undefined ? [] : [{ ...device, vehicle: new WireVehicle(device, port) }];
  });
  const callers = new Map(connected.map((one) => [one.imei, one]));
  let from = since;
  const stop = repeat("the demo's vehicles", tickMs, observe, async () => {
    const until = Date.now();
    const frames = Array.from(world.messages(from, until), (message) => message.frames).flat();
    const byCaller = Map.groupBy(frames, ({ imei }) => callers.get(imei));
    const byGateway = byCaller.get(undefined) ?? [];
    for (let start = 0; start < byGateway.length; start += maxPerRequest) {
      await deliver({ url, token, isReused: false }, byGateway.slice(start, start + maxPerRequest));
    }
    await Promise.all(
      [...byCaller].map(([caller, own]) =>
        caller?.vehicle.send(own.filter((frame) => isNew(frame, caller.storedUntil))),
      ),
    );
    from = until;
  });
  return async () => {
    await stop();
    for (const { vehicle } of connected) vehicle.close();
  };
}

/** A tracker rounds what it sends: a frame that was stored before, by another way, would be there twice. */
function isNew({ recorded_at }: CanonicalFrame, storedUntil: number): boolean {
  return Date.parse(recorded_at) > storedUntil;
}
