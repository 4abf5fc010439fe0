import { expect, test } from "bun:test";
import { version } from "../../package.json";
import { onEachEngine } from "../support/engines.ts";
import { sharedFleetApi, withoutTable } from "../support/fleet-api.ts";

onEachEngine("/health", (engine) => {
  const given = sharedFleetApi(engine);

  test("needs no key, and takes no notice of a wrong one", async () => {
    const { api, key } = given();
    for (const one of [null, await key(), "nonsense"]) {
      const { status, body, headers } = await api.get("/health", one);
      expect([status, body]).toEqual([200, { status: "ok", version: "1.0.0", program: version }]);
      expect(headers.get("Cache-Control")).toBe("no-store");
    }
  });

  test("costs a key nothing", async () => {
    const { api, key } = given();
    const limited = await key({ perDay: 1 });
    for (let times = 0; times < 5; times++) expect((await api.get("/health", limited)).status).toBe(200);
    expect((await api.get("/devices", limited)).headers.get("X-RateLimit-Remaining")).toBe("0");
  });

  test("answers HEAD, and refuses what does not read", async () => {
    const { api } = given();
    expect((await api.request("/health", { method: "HEAD" })).status).toBe(200);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, headers } = await api.request("/health", { method });
      expect([method, status, headers.get("Allow")]).toEqual([method, 405, "GET, HEAD"]);
    }
  });

  test("is 503 as long as the store cannot be used, in whatever way, and 200 afterwards", async () => {
    const { api, database } = given();
    await withoutTable(database, "schema_migrations", async () => {
      const { status, body } = await api.get("/health");
      expect([status, body]).toEqual([503, { status: "unavailable", version: "1.0.0", program: version }]);
    });
    expect((await api.get("/health")).status).toBe(200);
  });
});
