import { killAll, startNodes } from "../drills/support/nodes.ts";
import { Fleet } from "../many-machines/fleet.ts";
import { runClient } from "../support/servers.ts";
import { request } from "./services.ts";
import { fleets, type Moment, stepMs, type TruckData } from "./truck-data.ts";
import type { TruckStore } from "./truck-store.ts";
import { costOf, timed } from "./turns.ts";

const framesPerBody = 1_000;
const pageLimit = 500;

/** The trucks' frames, and what comes nearest to the questions, over HTTP. A fleet is a tag. */
export async function odographTrucks(databaseUrl: string, data: TruckData, endAt: number): Promise<TruckStore> {
  const fleet = new Fleet(1, data.trucks.length, (truck) => [data.trucks[truck]?.fleet ?? ""].filter(Boolean));
  const [access] = await fleet.load(databaseUrl);
  const [node] = await startNodes(1, { databaseUrl });
  if (!access || !node) throw new Error("odograph did not start");
  const running = { pids: [node.pid ?? 0], databaseUrl };
  const send = async () => {
    for (let at = 0; at < data.moments.length; at += framesPerBody) {
      const frames = data.moments
        .slice(at, at + framesPerBody)
        .map((moment) => frameOf(fleet.imei(0, moment.truck), moment));
      const headers = { Authorization: `Bearer ${access.token}`, "Content-Type": "application/json" };
      const response = await fetch(`${node.ingestUrl}/frames`, {
        method: "POST",
        headers,
        body: JSON.stringify(frames),
      });
      const text = await response.text();
      if (!response.ok || !text.includes('"refused":[]'))
        throw new Error(`odograph: ${response.status} ${text.slice(0, 300)}`);
    }
    return data.moments.length;
  };
  const ask = (path: string) => async (seconds: number) => {
    const paths = fleets.map((name) => `/v1${path}&tag=${name}&limit=${pageLimit}`);
    const headers = { "X-API-Key": access.key };
    const first = await fetch(`${node.url}${paths[0]}`, { headers });
    if (!(await first.text()).includes('"imei"')) throw new Error(`odograph: ${first.status}, nothing at ${paths[0]}`);
    const requests = paths.map((one) => request(one, `X-API-Key: ${access.key}\r\n`));
    return costOf(running, async () => {
      const { perSecond } = await runClient(Number(new URL(node.url).port), requests, seconds, 1);
      return { count: perSecond * seconds, seconds };
    });
  };
  const newest = `from=${new Date(endAt - stepMs).toISOString()}&to=${new Date(endAt).toISOString()}`;
  return {
    name: "odograph",
    fill: () => costOf(running, () => timed(send)),
    questions: {
      "last location of a fleet": ask("/positions/latest?fields=imei,name,latitude,longitude"),
      // The newest reading of each truck. Who asks looks for those below a tenth.
      "low fuel in a fleet": ask(`/sensors/fuel?${newest}`),
      // Who asks looks for those that stand now. Stops would be the answer for drives, but random walks have hardly any.
      "stationary trucks of a fleet": ask("/positions/latest?fields=imei,name,speed_kmh"),
    },
    close: () => killAll([node]),
  };
}

function frameOf(imei: string, { at, reading, diagnostic }: Moment): object {
  const known = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
  const [latitude, longitude, elevation, velocity, heading] = (reading ?? []).map(known);
  const fuel = known(diagnostic?.[0]);
  return {
    imei,
    recorded_at: new Date(at).toISOString(),
    latitude,
    longitude,
    altitude_m: elevation,
    speed_kmh: velocity,
    heading_deg: heading,
    sensors: fuel === null ? [] : [{ kind: "fuel", sensor: "tank_1", level_percent: fuel * 100 }],
  };
}
