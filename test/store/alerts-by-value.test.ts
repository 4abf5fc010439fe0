import { expect, test } from "bun:test";
import type { Database, Reader } from "../../src/store/database.ts";
import { alertsByValue } from "../../src/store/facts/alerts.ts";
import { plainSql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { loadIngestFleet } from "../support/ingest-fleet.ts";
import { accountNumber } from "../support/ingest-node.ts";

const dayMs = 86_400_000;
/** As many as are looked up by their value. */
const most = 1_000;

function insertAlerts(database: Database, account: number, values: readonly [number: number, value: number][]) {
  const no = database.engine === "sqlite" ? "0" : "false";
  const rows = values.map(
    ([number, value]) =>
      `(${account}, 1, '00000000-0000-4000-8000-${String(number).padStart(12, "0")}', 'speeding', 'info', 'm', ${number}, 1, 1, ${value}, ${no})`,
  );
  return database.transaction((tx) =>
    tx.run(
      plainSql(`insert into alerts (account_id, device, id, alert_type, severity, message, occurred_at, received_at, updated_at, value, withdrawn)
        values ${rows.join(", ")}`),
    ),
  );
}

onEachEngine("a page of alerts that is found by their value", (engine) => {
  test("misses none if another one comes while it is being read", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const account = await accountNumber(database);
    await insertAlerts(
      database,
      account,
      Array.from({ length: most }, (_, index): [number, number] => [index + 1, 50 + index / most]),
    );
    const visibility = { sees: "account", accountId: account, userId: smallFleet.acme.id } as const;
    const filters = { acknowledged: null, severity: null, alertType: null, minValue: 50, maxValue: null };
    const page = { device: null, fromMs: 0, toMs: dayMs, after: null, count: 2 * most, ...filters };
    const before = await alertsByValue(database, visibility, page);
    expect(before).toHaveLength(most);
    // Stored after it was known that they are not too many. It is later than the page's window.
    const meanwhile: Reader = {
      engine: database.engine,
      all: (query) => database.all(query),
      get: async (query) => {
        const row = await database.get<never>(query);
        await insertAlerts(database, account, [[dayMs, 50]]);
        return row;
      },
    };
    expect(await alertsByValue(meanwhile, visibility, page)).toEqual(before);
    expect(await alertsByValue(database, visibility, page)).toBeNull();
  });
});
