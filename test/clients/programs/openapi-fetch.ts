// What an integrator would write over the types that openapi-typescript generates. Compiled beside them by the test.
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript.generated.ts";

type Position = components["schemas"]["Position"];
type ErrorCode = components["schemas"]["ErrorCode"];

const [baseUrl = "", key = "", from = "", to = ""] = process.argv.slice(2);
const client = createClient<paths, "application/json">({ baseUrl, headers: { "X-API-Key": key } });

async function devices() {
  const { data, error } = await client.GET("/devices", { params: { query: { status: "active" } } });
  if (error) throw new Error(error.error.message);
  return data.data;
}

async function historyPage(device_id: string, cursor: string | null) {
  const query = { device_id, from, to, limit: 2, valid_only: false, ...(cursor === null ? {} : { cursor }) };
  const { data, error } = await client.GET("/positions/history", { params: { query } });
  if (error) throw new Error(error.error.code);
  return data;
}

async function history(device_id: string) {
  const positions: Position[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: components["schemas"]["PositionList"] = await historyPage(device_id, cursor);
    positions.push(...page.data);
    cursor = page.next_cursor;
    pages++;
  } while (cursor !== null);
  return { pages, times: positions.map(({ recorded_at }) => recorded_at) };
}

async function poll(device_id: string) {
  const query = { device_id };
  const first = await client.GET("/positions/latest", { params: { query } });
  const header = { "If-None-Match": first.response.headers.get("ETag") ?? "" };
  const second = await client.GET("/positions/latest", { params: { query, header } });
  return [first.response.status, second.response.status];
}

async function codes(): Promise<ErrorCode[]> {
  const missing = await client.GET("/devices/{device_id}", { params: { path: { device_id: "nobody" } } });
  const wrong = await client.GET("/reports/mileage", { params: { query: { from: "yesterday" } } });
  return [missing, wrong].flatMap(({ error }) => (error ? [error.error.code] : []));
}

/** A date alone, and an offset with a plus in it. */
const longWindow = { from: "2025-01-01", to: "2026-07-01T00:00:00+05:30" };

async function mileage() {
  const { data, response } = await client.GET("/reports/mileage", { params: { query: longWindow } });
  const km = data?.data.map(({ distance_km }) => distance_km);
  return { km, end: data?.next_cursor, clamped: response.headers.get("X-Window-Clamped") };
}

async function fuel() {
  const params = { path: { kind: "fuel" as const }, query: { from, to } };
  const { data } = await client.GET("/sensors/{kind}", { params });
  return data?.data.flatMap((reading) => (reading.kind === "fuel" ? [reading.level_percent] : []));
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
