import { expect, test } from "bun:test";
import { onEachEngine } from "../support/engines.ts";
import { figures } from "../support/fleet-api.ts";
import { awayFromMidnight } from "../support/midnight.ts";
import { patienceMs } from "../support/patience.ts";
import { sharedPortal } from "../support/portal.ts";
import { withUnwritable } from "../support/unwritable.ts";

/** Everything that reading writes to. */
const tables = ["key_counters", "account_counters", "key_usage", "sessions"];

onEachEngine("a store that can be read and not written", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("answers all readers, of the API and of the portal, and counts them", async () => {
    await awayFromMidnight();
    const { api, keys, signIn, time, store } = given();
    const olga = await signIn("olga@acme.example");
    const remaining = async () => figures(await api.get("/devices", keys.olga)).remaining;
    const before = await remaining();
    let calls = 0;
    // Of the keys of Anna and Ben this node has seen nothing so far.
    await withUnwritable(store.database, tables, "53100", async () => {
      for (const path of ["/devices", "/positions/latest", "/trips", "/alerts"]) {
        for (const key of [keys.olga, keys.anna, keys.ben]) {
          expect([path, (await api.get(path, key)).status]).toEqual([path, 200]);
        }
        calls++;
      }
      calls++;
      expect(await remaining()).toBe(before - calls);
      // So much later that the session's use would be written down.
      time.aheadMs += 120_000;
      for (const path of ["/session", "/keys", "/usage", "/data/devices"]) {
        expect([path, (await olga.get(path)).status]).toEqual([path, 200]);
      }
    });
    // What was counted meanwhile is added, within seconds. Until then each call counts by itself.
    const deadline = performance.now() + patienceMs;
    for (;;) {
      calls++;
      const left = await remaining();
      if (left === before - calls) return;
      expect(left).toBeGreaterThan(before - calls);
      if (performance.now() > deadline) throw new Error(`${before - left} of ${calls} calls are counted`);
      await Bun.sleep(50);
    }
  });
});
