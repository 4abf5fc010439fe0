// What an integrator would write over the types that openapi-typescript generates. Compiled beside them by the test.
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript.generated.ts";
import { baseUrl, from, key, longWindow, print, to } from "./scenario.ts";

type ErrorCode = components["schemas"]["ErrorCode"];

const client = createClient<paths, "application/json">({ baseUrl, headers: { "X-API-Key": key } });

await print({
  async devices() {
    const { data, error } = await client.GET("/devices", { params: { query: { status: "active" } } });
    if (error) throw new Error(error.error.message);
    return data.data;
  },
  async historyPage(device_id, cursor): Promise<components["schemas"]["PositionList"]> {
    const query = { device_id, from, to, limit: 2, valid_only: false, ...(cursor === null ? {} : { cursor }) };
    const { data, error } = await client.GET("/positions/history", { params: { query } });
    if (error) throw new Error(error.error.code);
    return data;
  },
  async latest(device_id, tag) {
    const header = tag === undefined ? {} : { "If-None-Match": tag };
    return (await client.GET("/positions/latest", { params: { query: { device_id }, header } })).response;
  },
  async codes(): Promise<ErrorCode[]> {
    const missing = await client.GET("/devices/{device_id}", { params: { path: { device_id: "nobody" } } });
    const wrong = await client.GET("/reports/mileage", { params: { query: { from: "yesterday" } } });
    return [missing, wrong].flatMap(({ error }) => (error ? [error.error.code] : []));
  },
  async mileage() {
    const { data, response } = await client.GET("/reports/mileage", { params: { query: longWindow } });
    const km = data?.data.map(({ distance_km }) => distance_km);
    return { km, end: data?.next_cursor, clamped: response.headers.get("X-Window-Clamped") };
  },
  async fuel() {
    const params = { path: { kind: "fuel" as const }, query: { from, to } };
    const { data } = await client.GET("/sensors/{kind}", { params });
    return data?.data.flatMap((reading) => (reading.kind === "fuel" ? [reading.level_percent] : []));
  },
});
