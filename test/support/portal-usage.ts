import { createKey } from "../../src/access/keys.ts";
import type { Scope } from "../../src/domain/scopes.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import { addKeyUsage, type KeyUsageRow } from "../../src/store/access/key-usage.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { ownerEmail } from "./portal-fleet.ts";
import { randomNumbers } from "./random-drive.ts";

const days = 30;

const keys: readonly { name: string; scopes: Scope[]; calls: Readonly<Record<string, number>> }[] = [
  {
    name: "Dispatch board",
    scopes: ["positions:read", "devices:read", "alerts:read"],
    calls: { "/positions/latest": 7200, "/alerts": 1400, "/devices": 300 },
  },
  {
    name: "Billing",
    scopes: ["reports:read", "trips:read"],
    calls: { "/trips": 900, "/reports/mileage": 120 },
  },
];

/** Two keys of the owner and a month of their calls, as the server would have counted them. */
export async function loadUsage(directory: string, now: number): Promise<void> {
  const database = await openDatabase({ engine: "sqlite", directory }, { create: false });
  const random = randomNumbers(7);
  const today = Math.floor(now / dayMs);
  try {
    const [account] = await database.all<{ account_id: number }>(sql`select account_id from accounts`);
    const rows: KeyUsageRow[] = [];
    for (const { name, scopes, calls } of keys) {
      const request = { email: ownerEmail, name, scopes, perSecond: null, perDay: null, expiresAt: now + 300 * dayMs };
      const { key } = await createKey(database, request, now - days * dayMs);
      for (let day = today - days + 1; day <= today; day++) {
        const isWeekend = (day + 4) % 7 === 0 || (day + 4) % 7 === 6;
        for (const [endpoint, usual] of Object.entries(calls)) {
          const requests = Math.round(usual * (isWeekend ? 0.35 : 1) * (0.8 + 0.4 * random()));
          const not_modified = endpoint === "/positions/latest" ? Math.round(requests * 0.4) : 0;
          const refused = random() < 0.06 ? Math.round(40 * random()) : 0;
          const errors = random() < 0.1 ? Math.round(9 * random()) : 0;
          const of = { account_id: account?.account_id ?? 0, key_id: key.id, day, endpoint };
          rows.push({ ...of, requests, not_modified, refused, errors });
        }
      }
    }
    await database.transaction((tx) => addKeyUsage(tx, rows));
  } finally {
    await database.close();
  }
}
