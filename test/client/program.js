// What an integrator would run, in plain JavaScript, with the package installed: in Node, Bun, Deno and as a worker.
import { OdographClient, OdographError } from "odograph-client";

/** What was read, and how the API refuses. */
export async function read({ url, key, from, to }) {
  const odograph = new OdographClient({ url, key });
  const devices = await odograph.listDevices({ limit: 1 }).all();
  const times = [];
  for await (const { recorded_at } of odograph.listPositionHistory({ imei: devices[0].imei, from, to, limit: 1 })) {
    times.push(recorded_at);
  }
  const refused = await odograph.getDevice("nobody").catch((error) => error);
  const isOurs = refused instanceof OdographError;
  return { names: devices.map(({ name }) => name), times, code: refused.code, isOurs };
}
