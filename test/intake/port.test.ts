import { expect, test } from "bun:test";
import { createIngestToken, revokeToken } from "../../src/access/ingest-tokens.ts";
import { maxBodyBytes, messageFormats } from "../../src/intake/messages.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, loadIngestFleet, newYear, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { canonical, type IngestPort, openPort, tokenOf } from "../support/ingest-port.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { becomesWithin } from "../support/patience.ts";

function sharedPort(engine: EngineUnderTest) {
  return engine.shared(
    async ({ database }) => {
      await loadIngestFleet(database);
      return { database, port: await openPort(database) };
    },
    ({ port }) => port.close(),
  );
}

let minute = 0;

/** A few frames that no other test has sent. */
function freshFrames(count = 3): Record<string, unknown>[] {
  minute += 10;
  const drive = straightDrive({
    imei: vanImei,
    from: home,
    beginAt: newYear + minute * 60_000,
    minutes: count / 6,
    kmh: 40,
  });
  return drive.slice(0, count).map(canonical);
}

const all = (count: number) => ({ accepted: count, duplicate: 0, refused: [] });

function refusal({ status, body }: Awaited<ReturnType<IngestPort["request"]>>) {
  return [status, body.error?.code, typeof body.request_id];
}

const form = "application/x-www-form-urlencoded";

onEachEngine("a token", (engine) => {
  const shared = sharedPort(engine);

  test("is refused within a second of its revocation", async () => {
    const { port, database } = shared();
    const { token, secret } = await createIngestToken(database, { accountId: smallFleet.acme.id, name: "x" }, 1);
    const headers = { Authorization: `Bearer ${secret}` };
    expect((await port.post("/frames", freshFrames(), headers)).status).toBe(200);
    await revokeToken(database, token.id, Date.now());
    await becomesWithin(1_000, 401, async () => (await port.post("/frames", [], headers)).status);
  });

  test("takes frames for its own account only", async () => {
    const { port, database } = shared();
    const headers = { Authorization: `Bearer ${await tokenOf(database, smallFleet.rival.id)}` };
    const [frame] = freshFrames();
    const own = { ...frame, imei: smallFleet.rivalVan.imei };
    // By the IMEI as it is written: nothing filled it up on the way.
    const filledUp = [own, { imei: truckImei }].map(({ imei }) => ({ ...frame, imei: `0${imei}` }));
    const answer = await port.post("/frames", [frame, own, { ...frame, imei: truckImei }, ...filledUp], headers);
    expect(answer.body).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [
        { index: 0, reason: "unknown_device" },
        { index: 2, reason: "unknown_device" },
        { index: 3, reason: "unknown_device" },
        { index: 4, reason: "unknown_device" },
      ],
    });
  });
});

onOneEngine("POST /frames", (engine) => {
  const shared = sharedPort(engine);

  test("takes an array, one object, lines, and all of them compressed", async () => {
    const { port } = shared();
    const bodies: [body: unknown, count: number, headers?: Record<string, string>][] = [
      [freshFrames(), 3],
      [freshFrames()[0], 1],
      [
        freshFrames()
          .map((frame) => JSON.stringify(frame))
          .join("\n"),
        3,
        { "Content-Type": "application/x-ndjson" },
      ],
      [Bun.gzipSync(JSON.stringify(freshFrames())), 3, { "Content-Encoding": "gzip" }],
      [[], 0],
    ];
    for (const [body, count, headers] of bodies) {
      const answer = await port.post("/frames", body, headers);
      expect([answer.status, answer.body]).toEqual([200, all(count)]);
    }
  });

  test("stores the good frames of a body and names the bad ones by their place and every reason", async () => {
    const { port } = shared();
    const [first, second, third] = freshFrames();
    const answer = await port.post("/frames", [
      first,
      { ...second, latitude: "north", recorded_at: "yesterday" },
      "not a frame",
      null,
      third,
      first,
      { ...third, imei: "356307042099999" },
      { ...third, imei: smallFleet.rivalVan.imei },
      { ...second, sensors: [{ kind: "door" }] },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ accepted: 2, duplicate: 1 });
    const refused = answer.body.refused.map(({ index, reason }: { index: number; reason: string }) => [index, reason]);
    expect(refused).toEqual([
      [1, expect.stringMatching(/^recorded_at: expected .*yesterday.*; latitude: expected a number, got "north"$/)],
      [2, 'expected an object, got "not a frame"'],
      [3, "expected an object, got null"],
      [6, "unknown_device"],
      // What is another account's is as unknown as what nobody has.
      [7, "unknown_device"],
      [8, expect.stringContaining("sensors[0].kind")],
    ]);
  });

  test("answers a body that cannot be read with 400 and a reason, and stores nothing of it", async () => {
    const { port } = shared();
    const [frame] = freshFrames();
    const bodies: [body: unknown, message: RegExp, headers?: Record<string, string>][] = [
      ["", /empty/],
      ["hello", /not JSON/],
      [JSON.stringify([frame]), /not gzip/, { "Content-Encoding": "gzip" }],
      [JSON.stringify([frame]), /expected gzip/, { "Content-Encoding": "br" }],
    ];
    for (const [body, message, headers] of bodies) {
      const answer = await port.post("/frames", body, headers);
      expect(refusal(answer)).toEqual([400, "INVALID_REQUEST", "string"]);
      expect(answer.body.error.message).toMatch(message);
    }
    expect((await port.post("/frames", [frame])).body).toEqual(all(1));
  });

  test("refuses a body that is too large with 413, also one that unpacks to that", async () => {
    const { port } = shared();
    const large = new Uint8Array(maxBodyBytes + 1).fill(0x20);
    for (const [body, headers] of [
      [large, {}],
      [Bun.gzipSync(large), { "Content-Encoding": "gzip" }],
    ] as const) {
      const answer = await port.post("/frames", body, headers);
      expect(refusal(answer)).toEqual([413, "BODY_TOO_LARGE", "string"]);
      expect(answer.body.error.message).toContain(String(maxBodyBytes));
    }
  });

  test("answers another method with 405 and what is allowed, and another path with 404", async () => {
    const { port } = shared();
    for (const [path, allowed] of [
      ["/frames", "POST"],
      ["/traccar/positions", "POST"],
      ["/traccar/events", "POST"],
      ["/owntracks", "POST"],
      ["/osmand", "GET, POST"],
    ] as const) {
      const answer = await port.request(path, { method: "PUT", body: "{}" });
      expect([...refusal(answer), answer.headers.get("Allow")]).toEqual([405, "METHOD_NOT_ALLOWED", "string", allowed]);
    }
    for (const path of ["/", "/frame", "/frames/", "/v1/devices", "/constructor"]) {
      expect(refusal(await port.post(path, []))).toEqual([404, "NOT_FOUND", "string"]);
    }
    const paths = "/frames, /traccar/positions, /traccar/events, /osmand, /owntracks, /ready, /metrics";
    expect((await port.post("/frame", [])).body.error.message).toBe(
      `there is nothing at /frame; the paths are ${paths}`,
    );
  });

  test("refuses a token that is missing or wrong before it looks at the body", async () => {
    const { port } = shared();
    const wrong = `${port.token.slice(0, -1)}${port.token.endsWith("a") ? "b" : "a"}`;
    const headers: (string | null)[] = [null, "", "Bearer", `Bearer ${wrong}`, "Basic !!!", `Token ${port.token}`];
    for (const authorization of headers) {
      const answer = await port.request("/frames", {
        method: "POST",
        headers: authorization === null ? {} : { Authorization: authorization },
        body: "this is no JSON",
      });
      expect(refusal(answer)).toEqual([401, "INVALID_INGEST_TOKEN", "string"]);
      expect(answer.headers.get("WWW-Authenticate")).toStartWith("Bearer");
      expect(answer.body.error.message).toContain("send it as `Authorization: Bearer TOKEN` or as the password of");
    }
    expect((await port.request("/osmand")).body.error.message).toContain("as `token` in the query");
    const basic = { Authorization: `Basic ${btoa(`anyone:${port.token}`)}` };
    expect((await port.post("/frames", freshFrames(), basic)).body).toEqual(all(3));
  });

  test.each(Object.keys(messageFormats))(
    "refuses %s soon and in few words what would parse to millions",
    async (path) => {
      const { port } = shared();
      const bodies = ["{},", "[", '{"a":1},', "a=1&"].map(
        (text) => `[${text.repeat(maxBodyBytes / text.length - 1)}{}]`,
      );
      for (const body of bodies) {
        const headers = { "Content-Encoding": "gzip", "Content-Type": body.includes("&") ? form : "application/json" };
        const answer = await port.post(path, Bun.gzipSync(body), headers);
        expect([400, 413]).toContain(answer.status);
        expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
      }
    },
  );

  test("/ready and /metrics need no token", async () => {
    const { port } = shared();
    for (const path of ["/ready", "/metrics"]) {
      const posted = await port.request(path, { method: "POST" });
      expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    }
    const ready = await port.request("/ready");
    expect([ready.status, ready.body]).toEqual([200, { status: "ready" }]);
    const metrics = await port.request("/metrics");
    expect([metrics.status, metrics.headers.get("Content-Type"), metrics.body]).toEqual([
      200,
      expect.stringContaining("text/plain; version=0.0.4"),
      "odograph_up 1\n",
    ]);
  });
});
