import { expect, test } from "bun:test";
import { newCredential } from "../../src/access/credential.ts";
import { createLog } from "../../src/observe/log.ts";
import type { Observation } from "../../src/observe/observation.ts";
import { sql } from "../../src/store/sql.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { sharedFleetApi, withoutTable } from "../support/fleet-api.ts";

/** What was observed of a request but for its answer. */
function tracesOf({ observations }: ApiUnderTest, requestId: string): Observation[] {
  return observations.filter((fact) => "requestId" in fact && fact.requestId === requestId && !("durationMs" in fact));
}

onEachEngine("a refused request", (engine) => {
  const given = sharedFleetApi(engine);

  test("can be followed by its request_id: the key, the route and the code, never what was sent", async () => {
    const { api, database, key } = given();
    const secret = await key();
    const narrow = await key({ scopes: ["devices:read"] });
    const spent = await key({ perDay: 1 });
    await api.get("/devices?limit=1", spent);
    const rows = await database.all<{ id: string }>(sql`select id from api_keys order by created_at desc, id`);
    const sent = "secret-looking-text";
    const calls: [path: string, key: string | null, init: RequestInit, route: string, status: number, code: string][] =
      [
        [`/${sent}?token=${sent}`, secret, {}, "other", 404, "NOT_FOUND"],
        [`/${sent}`, null, {}, "other", 404, "NOT_FOUND"],
        [`/devices?x=${sent}`, secret, { method: "POST" }, "/devices", 405, "METHOD_NOT_ALLOWED"],
        ["/devices", null, { method: "DELETE" }, "/devices", 405, "METHOD_NOT_ALLOWED"],
        ["/health", secret, { method: "POST" }, "/health", 405, "METHOD_NOT_ALLOWED"],
        ["/openapi.json", secret, { method: "POST" }, "/openapi.json", 405, "METHOD_NOT_ALLOWED"],
        ["/trips", null, {}, "/trips", 401, "INVALID_API_KEY"],
        ["/trips", sent, {}, "/trips", 401, "INVALID_API_KEY"],
        ["/devices?limit=1", spent, {}, "/devices", 429, "RATE_LIMITED"],
        ["/trips", narrow, {}, "/trips", 403, "INSUFFICIENT_SCOPE"],
        [`/devices?status=${sent}`, secret, {}, "/devices", 400, "INVALID_REQUEST"],
        [`/devices/${sent}`, secret, {}, "/devices/{device_id}", 404, "NOT_FOUND"],
        [`/trips?imei=${sent}`, secret, {}, "/trips", 404, "NOT_FOUND"],
        [`/sensors/${sent}`, secret, {}, "/sensors/{kind}", 404, "NOT_FOUND"],
      ];
    const ids = new Map<string, Set<string>>();
    for (const [path, presented, init, route, status, code] of calls) {
      const headers: Record<string, string> = presented === null ? {} : { "X-API-Key": presented };
      const { body, ...answer } = await api.request(path, { ...init, headers }, "198.51.100.7");
      expect([path, answer.status]).toEqual([path, status]);
      const [trace, ...others] = tracesOf(api, body.request_id);
      expect(others).toEqual([]);
      const isKnown = presented !== null && presented !== sent;
      const caller = isKnown ? { keyId: expect.any(String) } : { network: "198.51.100.7" };
      const fact: unknown = { kind: "request_refused", requestId: body.request_id, ...caller, route, status, code };
      expect(trace as unknown).toEqual(fact);
      if (isKnown) ids.set(presented, (ids.get(presented) ?? new Set()).add((trace as { keyId: string }).keyId));
      expect(JSON.stringify(trace)).not.toContain(sent);
    }
    // One id for each key, which is the one that `keys list` shows.
    expect([...ids.values()].map((own) => own.size)).toEqual([1, 1, 1]);
    const named = [...ids.values()].flatMap((own) => [...own]);
    expect(new Set(named).size).toBe(3);
    for (const id of named) expect(rows.map((row) => row.id)).toContain(id);
    expect(JSON.stringify(api.observations)).not.toContain(secret);
  });

  test("that failed by our fault names the key, too", async () => {
    const { api, database, key } = given();
    const secret = await key();
    await withoutTable(database, "trips", async () => {
      const { status, body } = await api.get("/trips", secret);
      expect(status).toBe(500);
      expect(tracesOf(api, body.request_id)).toMatchObject([
        { kind: "request_failed", route: "/trips", keyId: expect.any(String) },
      ]);
    });
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
