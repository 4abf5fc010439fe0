// What an integrator would write over the functions that oazapfts generates. Compiled beside them by the test.
import type { ErrorAnswer, Position, PositionList } from "./oazapfts.generated.ts";
import * as odograph from "./oazapfts.generated.ts";

const [baseUrl = "", key = "", from = "", to = ""] = process.argv.slice(2);
odograph.defaults.baseUrl = baseUrl;
odograph.defaults.headers = { "X-API-Key": key };

class Refused extends Error {
  constructor(readonly answer: ErrorAnswer) {
    super(answer.error.message);
  }
}

async function devices() {
  const answer = await odograph.listDevices({ status: "active" });
  if (answer.status !== 200) throw new Refused(answer.data);
  return answer.data.data;
}

async function historyPage(deviceId: string, cursor: string | null) {
  const page = { deviceId, $from: from, to, limit: 2, validOnly: false, ...(cursor === null ? {} : { cursor }) };
  const answer = await odograph.listPositionHistory(page);
  if (answer.status !== 200) throw new Refused(answer.data);
  return answer.data;
}

async function history(deviceId: string) {
  const positions: Position[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: PositionList = await historyPage(deviceId, cursor);
    positions.push(...page.data);
    cursor = page.next_cursor;
    pages++;
  } while (cursor !== null);
  return { pages, times: positions.map(({ recorded_at }) => recorded_at) };
}

async function poll(deviceId: string) {
  const first = await odograph.listLatestPositions({ deviceId });
  const ifNoneMatch = first.headers.get("ETag") ?? "";
  const second = await odograph.listLatestPositions({ deviceId, ifNoneMatch });
  return [first.status, second.status];
}

async function codes() {
  const missing = await odograph.getDevice("nobody");
  const wrong = await odograph.reportMileage({ $from: "yesterday" });
  return [missing, wrong].flatMap((answer) => (answer.status === 200 ? [] : [answer.data.error.code]));
}

/** A date alone, and an offset with a plus in it. */
const longWindow = { $from: "2025-01-01", to: "2026-07-01T00:00:00+05:30" };

async function mileage() {
  const answer = await odograph.reportMileage(longWindow);
  if (answer.status !== 200) throw new Refused(answer.data);
  const { data, next_cursor: end } = answer.data;
  return { km: data.map(({ distance_km }) => distance_km), end, clamped: answer.headers.get("X-Window-Clamped") };
}

async function fuel() {
  const answer = await odograph.listSensorReadings("fuel", { $from: from, to });
  if (answer.status !== 200) throw new Refused(answer.data);
  return answer.data.data.flatMap((reading) => (reading.kind === "fuel" ? [reading.level_percent] : []));
}

const [device] = await devices();
if (!device) throw new Error("there is no device");
console.log(
  JSON.stringify({
    name: device.name,
    history: await history(device.device_id),
    poll: await poll(device.device_id),
    codes: await codes(),
    mileage: await mileage(),
    fuel: await fuel(),
  }),
);
