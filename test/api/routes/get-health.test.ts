import { expect, test } from "bun:test";
import { version } from "../../../package.json";
import { startApi } from "../../support/api.ts";
import { startWorld, stopWorld } from "../../support/api-fleet.ts";
import { onEachEngine } from "../../support/engines.ts";

onEachEngine("GET /health", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  test("answers anyone, however often", async () => {
    const { api, keys, deadKeys } = world();
    for (const key of [null, keys.olga, "wrong", ...Object.values(deadKeys), ...Array(40).fill(null)]) {
      const { status, body, headers } = await api.get("/health?limit=x", key);
      expect([status, body]).toEqual([200, { status: "ok", version: "1.0.0", program: version }]);
      expect(headers.get("X-RateLimit-Remaining")).toBe("50000");
    }
  });

  test("only reads", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const { status, headers } = await world().api.request("/health", { method });
      expect([status, headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    }
    expect((await world().api.request("/health", { method: "HEAD" })).status).toBe(200);
  });

  test("says so when the store does not answer, where everything else is a fault", async () => {
    const { database } = await engine.fresh();
    const api = await startApi(database);
    await database.close();
    const { status, body } = await api.get("/health");
    expect([status, body]).toEqual([503, { status: "unavailable", version: "1.0.0", program: version }]);
    const fault = await api.get("/devices", world().keys.olga);
    expect([fault.status, fault.body.error.code]).toEqual([500, "INTERNAL"]);
    expect(fault.text).not.toMatch(/sqlite|postgres|database/i);
    await api.close();
  });
});
