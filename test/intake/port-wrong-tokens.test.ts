import { expect, setSystemTime, test } from "bun:test";
import { AddressMeter } from "../../src/access/address-meter.ts";
import { newCredential } from "../../src/access/credential.ts";
import { IngestAuthenticator } from "../../src/access/ingest-authenticate.ts";
import { createIngestToken, revokeToken } from "../../src/access/ingest-tokens.ts";
import { answerIngest } from "../../src/intake/port.ts";
import { FrameQueue } from "../../src/intake/queue.ts";
import { UnknownDevices } from "../../src/intake/unknown-devices.ts";
import { sql } from "../../src/store/sql.ts";
import { smallFleet } from "../support/fleet.ts";
import { loadIngestFleet } from "../support/ingest-fleet.ts";
import { type IngestPort, openPort } from "../support/ingest-port.ts";
import { onOneEngine } from "../support/one-engine.ts";

const noon = Date.UTC(2026, 5, 15, 12);

/** They are counted by this process alone, so its clock can be stopped. */
async function atNoon(work: () => Promise<void>): Promise<void> {
  setSystemTime(noon);
  try {
    await work();
  } finally {
    setSystemTime();
  }
}

interface Sender {
  readonly peer: string;
  readonly token?: string | undefined;
  readonly forwarded?: string;
}

function send(port: IngestPort, { peer, token, forwarded }: Sender) {
  const headers = new Headers();
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  if (forwarded !== undefined) headers.set("X-Forwarded-For", forwarded);
  return port.request("/frames", { method: "POST", headers, body: "[]" }, peer);
}

onOneEngine("messages without a valid token", (engine) => {
  const shared = engine.shared(async ({ database }) => {
    await loadIngestFleet(database);
    const { token, secret } = await createIngestToken(database, { accountId: smallFleet.acme.id, name: "old" }, 1);
    await revokeToken(database, token.id, 2);
    return { database, revoked: secret };
  });

  async function withPort(work: (port: IngestPort, wrong: readonly (string | undefined)[]) => Promise<void>) {
    const { database, revoked } = shared();
    const port = await openPort(database);
    try {
      const wrong = [undefined, "nonsense", newCredential("ingestToken").secret, revoked];
      await atNoon(() => work(port, wrong));
    } finally {
      await port.close();
    }
  }

  test("are refused after ten in a second from one address, whatever is wrong; a valid one from there never", () =>
    withPort(async (port, wrong) => {
      const peer = "198.51.100.7";
      for (let call = 0; call < 10; call++) {
        expect((await send(port, { peer, token: wrong[call % wrong.length] })).status).toBe(401);
      }
      for (const token of wrong) {
        const { status, headers, body } = await send(port, { peer, token });
        expect([status, body.error.code, headers.get("Retry-After")]).toEqual([429, "RATE_LIMITED", "1"]);
        expect(headers.get("WWW-Authenticate")).toBeNull();
      }
      for (let call = 0; call < 20; call++) {
        expect((await send(port, { peer, token: port.token })).status).toBe(200);
      }
      expect((await send(port, { peer: "198.51.100.8" })).status).toBe(401);
      // It is the sender's fault: nothing that an operator would be woken for.
      expect(port.observations.filter(({ kind }) => kind === "request_failed")).toEqual([]);
      setSystemTime(noon + 1_000);
      expect((await send(port, { peer })).status).toBe(401);
    }));

  test("of a valid token are none: however many come, its address may still err ten times", () =>
    withPort(async (port) => {
      const peer = "198.51.100.7";
      for (let call = 0; call < 30; call++) await send(port, { peer, token: port.token });
      for (let call = 0; call < 10; call++) expect((await send(port, { peer })).status).toBe(401);
    }));

  test("are each sender's own behind a proxy on this machine; nobody else is believed", () =>
    withPort(async (port) => {
      const through = (peer: string, sender: string) => send(port, { peer, forwarded: `203.0.113.9, ${sender}` });
      for (let call = 0; call < 10; call++) await through("127.0.0.1", "198.51.100.7");
      expect((await through("127.0.0.1", "198.51.100.7")).status).toBe(429);
      expect((await through("127.0.0.1", "198.51.100.8")).status).toBe(401);
      for (let call = 0; call < 10; call++) await through("192.0.2.1", `198.51.100.${call}`);
      expect((await through("192.0.2.1", "198.51.100.99")).status).toBe(429);
    }));

  test("and every other refusal can be followed by the request_id: the token, the route and the code", async () => {
    const { database } = shared();
    const port = await openPort(database);
    const tokens = await database.all<{ id: string }>(sql`select id from ingest_tokens`);
    const sent = "secret-looking-text";
    const put = { method: "PUT", headers: { Authorization: `Bearer ${port.token}` } };
    const byToken = { tokenId: expect.any(String) as unknown };
    const byNobody = { network: "127.0.0.1" };
    const answers = [
      [await port.request(`/${sent}?token=${sent}`), byNobody, "ingest unknown path", "NOT_FOUND"],
      [await port.request("/frames", put), byNobody, "ingest /frames", "METHOD_NOT_ALLOWED"],
      [await port.request(`/osmand?token=${sent}`), byNobody, "ingest /osmand", "INVALID_INGEST_TOKEN"],
      [await port.post("/frames", `{${sent}`), byToken, "ingest /frames", "INVALID_REQUEST"],
      [await port.request(`/osmand?id=${sent}&token=${port.token}`), byToken, "ingest /osmand", "INVALID_REQUEST"],
    ] as const;
    for (const [{ status, body }, caller, route, code] of answers) {
      const { request_id: requestId } = body;
      const traces = port.observations.filter((fact) => "requestId" in fact && fact.requestId === requestId);
      const [trace] = traces.filter(({ kind }) => kind !== "request_answered");
      expect(trace as unknown).toEqual({ kind: "request_refused", requestId, ...caller, route, status, code });
      if ("tokenId" in caller) expect(tokens.map(({ id }) => id)).toContain((trace as { tokenId: string }).tokenId);
    }
    expect(JSON.stringify(port.observations)).not.toContain(sent);
    await port.close();
  });

  test("are over for the day after its 50,000, and the answer says for how long", async () => {
    const { database } = shared();
    const addressMeter = new AddressMeter();
    for (let call = 0; call < 50_000; call++) addressMeter.spend("198.51.100.7", noon - 5_001_000 + call * 100);
    const observe = () => {};
    const writer = new FrameQueue(database, observe);
    const unknownDevices = new UnknownDevices(database);
    const authenticator = new IngestAuthenticator(database);
    const answer = answerIngest({
      database,
      authenticator,
      addressMeter,
      writer,
      unknownDevices,
      observe,
      now: () => Date.now(),
      isDraining: () => false,
      metrics: async () => "",
    });
    await atNoon(async () => {
      const request = new Request("http://ingest.test/frames", { method: "POST", body: "[]" });
      const response = await answer(request, () => "198.51.100.7");
      expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "43200"]);
    });
  });
});
