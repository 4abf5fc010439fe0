import type { Database } from "../../src/store/database.ts";
import { keyOf } from "./api.ts";
import { Seed } from "./seed.ts";
import { noon } from "./seed-rows.ts";

const devices = 60;
const days = 300;

/** A report that is larger than what waits in the buffers of a connection, and a key that may ask for it. */
export async function seedLongReport(database: Database) {
  const seed = new Seed();
  const account = seed.account();
  const owner = seed.user(account, { role: "owner" });
  for (let index = 0; index < devices; index++) {
    const device = seed.device(account, { name: `Truck ${index} ${"with a long name ".repeat(12)}` });
    for (let day = 0; day < days; day++) seed.mileage(device, { day: Math.floor(noon / 86_400_000) - day });
  }
  await seed.save(database);
  const key = await keyOf(database, owner.email);
  const path = "/v1/reports/mileage?from=2025-07-01&to=2026-07-01";
  return {
    key,
    email: owner.email,
    path: path.slice("/v1".length),
    rows: devices * days,
    request: (method: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`,
  };
}
