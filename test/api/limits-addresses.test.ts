import { expect, setSystemTime, test } from "bun:test";
import { newCredential } from "../../src/access/credential.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { figures, sharedFleetApi } from "../support/fleet-api.ts";

/** Calls without a key are counted by this process alone, so its clock can be stopped. */
async function atNoon(work: () => Promise<void>): Promise<void> {
  setSystemTime(Date.UTC(2026, 5, 15, 12));
  try {
    await work();
  } finally {
    setSystemTime();
  }
}

function guess(api: ApiUnderTest, address: string, key = newCredential("apiKey").secret, forwarded?: string) {
  const headers = { "X-API-Key": key, ...(forwarded === undefined ? {} : { "X-Forwarded-For": forwarded }) };
  return api.request("/devices", { headers }, address);
}

onEachEngine("calls without a valid key", (engine) => {
  const given = sharedFleetApi(engine);

  test("are metered by address: guessing ends after the burst, whatever is wrong with the key", async () => {
    const api = await given().node();
    await atNoon(async () => {
      const guesses = ["", "nonsense", newCredential("apiKey").secret, newCredential("ingestToken").secret];
      for (let call = 0; call < 10; call++) {
        const response = await guess(api, "192.0.2.1", guesses[call % guesses.length]);
        expect([response.status, figures(response)]).toEqual([
          401,
          { limit: 50_000, remaining: 49_999 - call, reset: 43_200, limitSecond: 10, remainingSecond: 9 - call },
        ]);
      }
      for (const key of guesses) {
        const response = await guess(api, "192.0.2.1", key);
        expect([response.status, response.body.error.code]).toEqual([429, "RATE_LIMITED"]);
        expect(response.headers.get("Retry-After")).toBe("1");
        expect(figures(response)).toMatchObject({ remaining: 49_990, remainingSecond: 0 });
      }
      expect((await guess(api, "192.0.2.2")).status).toBe(401);
      setSystemTime(Date.UTC(2026, 5, 15, 12, 0, 1));
      expect((await guess(api, "192.0.2.1")).status).toBe(401);
    });
  });

  test("take nothing from a valid key of the same address, and nothing of its figures", async () => {
    const { api, key } = given();
    const valid = await key({ perDay: 100 });
    for (let call = 0; call < 30; call++) await guess(api, "127.0.0.1");
    const response = await api.get("/devices", valid);
    expect([response.status, figures(response)]).toMatchObject([200, { limit: 100, remaining: 99 }]);
  });

  test("behind a proxy on this machine are each client's own; nobody else is believed", async () => {
    const api = await given().node();
    const through = (proxy: string, client: string) => guess(api, proxy, undefined, `203.0.113.9, ${client}`);
    await atNoon(async () => {
      for (let call = 0; call < 10; call++) await through("127.0.0.1", "198.51.100.7");
      expect((await through("127.0.0.1", "198.51.100.7")).status).toBe(429);
      expect((await through("127.0.0.1", "198.51.100.8")).status).toBe(401);
      expect((await guess(api, "127.0.0.1")).status).toBe(401);
      // It is the client that is counted, whichever way it comes.
      expect((await guess(api, "198.51.100.7")).status).toBe(429);
      for (let call = 0; call < 10; call++) await through("192.0.2.1", `198.51.100.${call}`);
      expect((await through("192.0.2.1", "198.51.100.99")).status).toBe(429);
    });
  });

  test("/health is never refused and uses nothing; the description is refused after the burst", async () => {
    const api = await given().node();
    await atNoon(async () => {
      const from = (path: string) => api.request(path, {}, "192.0.2.1");
      for (let call = 0; call < 50; call++) {
        const response = await from("/health");
        expect([response.status, figures(response).remainingSecond]).toEqual([200, 10]);
      }
      for (let call = 0; call < 10; call++) expect((await from("/openapi.json")).status).toBe(200);
      const refused = await from("/openapi.json");
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "1"]);
      expect((await from("/health")).status).toBe(200);
    });
  });

  test("an unknown path and another method cost a valid key a slot of its second, nothing of its day, and show so", async () => {
    const { key, node } = given();
    const api = await node();
    const mine = await key({ perSecond: 3, perDay: 7 });
    await atNoon(async () => {
      const headers = { "X-API-Key": mine };
      const wrong: [path: string, init: RequestInit, status: number][] = [
        ["/nothing", { headers }, 404],
        ["/devices", { method: "POST", headers }, 405],
        ["/health", { method: "PUT", headers: { Authorization: `Bearer ${mine}` } }, 405],
        // Over the second's limit it is still what it is.
        ["/nothing", { headers }, 404],
      ];
      for (const [index, [path, init, status]] of wrong.entries()) {
        const answer = await api.request(path, init, "192.0.2.1");
        expect([path, answer.status]).toEqual([path, status]);
        expect(figures(answer)).toMatchObject({ limit: 7, remaining: 7, limitSecond: 3 });
        // PostgreSQL counts by its own clock, and a second may end in between.
        const { remainingSecond } = figures(answer);
        if (engine.name === "sqlite") expect(remainingSecond).toBe(Math.max(0, 2 - index));
        else expect(remainingSecond).toBeLessThan(3);
      }
      if (engine.name === "sqlite") expect((await api.get("/devices", mine)).status).toBe(429);
      // The address has used nothing.
      expect(figures(await api.request("/nothing", {}, "192.0.2.1"))).toMatchObject({ remainingSecond: 9 });
      // A key that does not work is nobody's.
      const revoked = await key({ isRevoked: true, perSecond: 3 });
      const answer = await api.request("/nothing", { headers: { "X-API-Key": revoked } }, "192.0.2.1");
      expect([answer.status, figures(answer).limitSecond, figures(answer).remainingSecond]).toEqual([404, 10, 8]);
    });
  });

  test("an unknown path and another method are counted, too, and stay what they are", async () => {
    const api = await given().node();
    await atNoon(async () => {
      for (let call = 0; call < 6; call++) {
        expect((await api.request("/nothing", {}, "192.0.2.1")).status).toBe(404);
        expect((await api.request("/devices", { method: "POST" }, "192.0.2.1")).status).toBe(405);
      }
      expect((await guess(api, "192.0.2.1")).status).toBe(429);
    });
  });
});
