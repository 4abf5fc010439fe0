import { expect, test } from "bun:test";
import { newCredential } from "../../src/access/credential.ts";
import { routes } from "../../src/api/routes.ts";
import { createLog } from "../../src/observe/log.ts";
import type { ApiResponse } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { load } from "../support/fleet.ts";
import { sharedFleetApi, withoutTable } from "../support/fleet-api.ts";

const challenge = 'Bearer realm="odograph"';

/** What a response says but for what is the call's own. */
function said({ status, body, headers }: ApiResponse) {
  const own = ["x-request-id", "x-ratelimit-remaining", "x-ratelimit-remaining-second", "x-ratelimit-reset"];
  const shared = [...headers].filter(([name]) => !own.includes(name));
  return { status, error: body.error, fields: Object.keys(body), headers: Object.fromEntries(shared) };
}

onEachEngine("a request", (engine) => {
  const given = sharedFleetApi(engine);

  test("without a working key gets one and the same answer, whatever the cause and whatever it asks for", async () => {
    const { api, key, fleet, database } = given();
    const { seed } = fleet;
    const [gone, shut] = [seed.account(), seed.account()];
    const [disabled, suspended] = [seed.user(gone), seed.user(shut)];
    await seed.save(database);
    const [ofDisabled, ofSuspended] = [await key(disabled), await key(suspended)];
    const mine = await key();
    const { id, email, name } = disabled;
    await load(database, [
      { type: "user", id, account_id: gone.id, name, email, role: "sub_account", status: "disabled" },
    ]);
    await load(database, [{ type: "account", id: shut.id, name: "Shut", status: "suspended" }]);
    const now = Date.now();
    const causes: Record<string, Record<string, string>> = {
      missing: {},
      "in a cookie": { Cookie: `key=${mine}` },
      nonsense: { "X-API-Key": "nonsense" },
      typo: { "X-API-Key": `${mine.slice(0, -1)}${mine.endsWith("0") ? "1" : "0"}` },
      unknown: { Authorization: `Bearer ${newCredential("apiKey").secret}` },
      "an ingest token": { "X-API-Key": newCredential("ingestToken").secret },
      expired: { "X-API-Key": await key({ createdAt: now - 2_000, expiresAt: now - 1_000 }) },
      revoked: { "X-API-Key": await key({ isRevoked: true }) },
      "disabled creator": { "X-API-Key": ofDisabled },
      "suspended account": { "X-API-Key": ofSuspended },
      "two different keys": { Authorization: `Bearer ${mine}`, "X-API-Key": ofDisabled },
    };
    const paths = [
      `/devices?key=${mine}&api_key=${mine}`,
      "/devices?limit=0",
      "/devices/nothing",
      "/positions/latest",
      "/sensors/oil",
    ];
    const answers = [];
    for (const [index, [cause, headers]] of Object.entries(causes).entries()) {
      const path = paths[index % paths.length] ?? "/devices";
      const response = await api.request(path, { headers }, `198.51.100.${index}`);
      answers.push(said(response));
      expect([cause, response.status, response.headers.get("WWW-Authenticate")]).toEqual([cause, 401, challenge]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.error).toEqual({ code: "INVALID_API_KEY", message: expect.any(String) });
  });

  test("is looked at in this order: path, method, key, limits, scope, parameters, record", async () => {
    const { api, key } = given();
    const narrow = await key({ scopes: ["trips:read"] });
    const used = await key({ perDay: 1, scopes: ["trips:read"] });
    await api.get("/trips", used);
    const wrong = { "X-API-Key": "nonsense" };
    const from = (path: string, init: RequestInit, address: string) => api.request(path, init, address);
    expect((await from("/nothing", { method: "POST", headers: wrong }, "203.0.113.1")).status).toBe(404);
    expect((await from("/devices", { method: "POST", headers: wrong }, "203.0.113.1")).status).toBe(405);
    expect((await from("/devices?limit=0", { headers: wrong }, "203.0.113.1")).status).toBe(401);
    expect((await api.get("/devices?limit=0", used)).status).toBe(429);
    expect((await api.get("/devices?limit=0", narrow)).status).toBe(403);
    expect((await api.get("/trips?limit=0&imei=350000000000000", narrow)).status).toBe(400);
    expect((await api.get("/trips?imei=350000000000000", narrow)).status).toBe(404);
  });

  test("without the scope is told which one it lacks and which it has", async () => {
    const { api, key } = given();
    for (const { path, scope } of routes) {
      if (scope === "any") continue;
      const scopes = scope === "trips:read" ? (["alerts:read"] as const) : (["trips:read"] as const);
      const { status, body } = await api.get(path.replace(/\{\w+\}/, "fuel"), await key({ scopes }));
      expect([path, status, body.error]).toEqual([
        path,
        403,
        {
          code: "INSUFFICIENT_SCOPE",
          message: expect.stringContaining(scope),
          required_scopes: [scope],
          granted_scopes: [...scopes],
        },
      ]);
    }
  });

  test("leaves no secret in what is logged or answered, not even when the store fails", async () => {
    const { key, node, database } = given();
    const api = await node();
    const secrets = [await key(), newCredential("apiKey").secret, "odo_a-typo-of-a-secret"];
    const answers: string[] = [];
    const ask = async () => {
      for (const secret of secrets) {
        for (const headers of [{ "X-API-Key": secret }, { Authorization: `Bearer ${secret}` }]) {
          const response = await api.request(`/trips?cursor=${secret}&limit=0`, { headers });
          answers.push(JSON.stringify([...response.headers]), response.headers.get("X-Request-Id") ?? "");
          answers.push((await api.request("/trips", { headers })).text);
        }
      }
    };
    await ask();
    for (const table of ["api_keys", "trips", "key_counters"]) await withoutTable(database, table, ask);
    const lines: string[] = [];
    for (const format of ["json", "human"] as const) {
      const log = createLog({ level: "debug", format, write: (line) => lines.push(line) });
      for (const observation of api.observations) log(observation);
    }
    expect(lines.filter((line) => line.includes("request_failed")).length).toBeGreaterThan(0);
    for (const secret of secrets) {
      const leaks = (text: string) => text.includes(secret) || text.includes(secret.slice(14));
      expect(lines.filter(leaks)).toEqual([]);
      expect(answers.filter(leaks)).toEqual([]);
    }
  });
});
