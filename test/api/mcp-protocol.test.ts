import { expect, test } from "bun:test";
import fc from "fast-check";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { type PostOptions, post, rpc, serveMcp, stateless } from "../support/mcp.ts";
import { onOneEngine } from "../support/one-engine.ts";

const sessionVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

onOneEngine("messages to /mcp", (engine) => {
  const world = engine.shared(startWorld, stopWorld);
  const send = (body: Parameters<typeof post>[1], options: PostOptions = {}) =>
    post(world().api, body, { key: world().keys.olga, ...options });
  const version = (value: string) => ({ headers: { "MCP-Protocol-Version": value } });

  test("initialize agrees on the version that the client asks for, or offers the newest", async () => {
    for (const asked of [...sessionVersions, "2026-07-28", "1999-01-01", 7, undefined]) {
      const { status, body } = await send(rpc("initialize", { protocolVersion: asked }));
      const agreed = sessionVersions.find((known) => known === asked) ?? "2025-11-25";
      expect([status, body.result.protocolVersion, body.result.capabilities]).toEqual([200, agreed, { tools: {} }]);
    }
  });

  test("a request is answered in JSON with its own id, whatever the client accepts", async () => {
    for (const accept of ["application/json, text/event-stream", "text/event-stream", "text/html", "*/*"]) {
      for (const id of [0, -3, 7, "", "x", "ß".repeat(300)]) {
        const { status, headers, body } = await send(rpc("ping", {}, id), { headers: { Accept: accept } });
        expect([status, body]).toEqual([200, { jsonrpc: "2.0", id, result: {} }]);
        expect(headers.get("Content-Type")).toBe("application/json");
        expect([headers.get("Cache-Control"), headers.get("Mcp-Session-Id")]).toEqual(["no-store", null]);
      }
    }
  });

  test("a notification is accepted without a body, known or not", async () => {
    for (const method of ["notifications/initialized", "notifications/cancelled", "tools/call", "whatever"]) {
      for (const headers of [{}, { "MCP-Protocol-Version": "2025-06-18" }, { "MCP-Protocol-Version": "2026-07-28" }]) {
        const { status, text, headers: sent } = await send({ jsonrpc: "2.0", method }, { headers });
        expect([status, text, sent.get("Content-Type")]).toEqual([202, "", null]);
        expect(sent.get("X-RateLimit-Remaining-Second")).not.toBeNull();
      }
    }
  });

  test("what is not JSON is a parse error", async () => {
    const notText = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    for (const body of ["", "{", "nonsense", '{"jsonrpc":"2.0",}', "[".repeat(60_000), notText]) {
      const answer = await send(body);
      expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, -32_700, null]);
    }
  });

  test("what is no message of JSON-RPC is an invalid request, and its id is returned where it has one", async () => {
    const wrong: [body: unknown, id: unknown, code?: number][] = [
      [1, null],
      ["text", null],
      [null, null],
      [{}, null],
      [{ id: 4 }, 4],
      [{ jsonrpc: "1.0", id: 4, method: "ping" }, 4],
      [{ jsonrpc: "2.0", id: 4 }, 4],
      [{ jsonrpc: "2.0", id: 4, method: 7 }, 4],
      [{ jsonrpc: "2.0", id: null, method: "ping" }, null],
      [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, null],
      [{ jsonrpc: "2.0", id: {}, method: "ping" }, null],
      // A response: this server has asked nothing.
      [{ jsonrpc: "2.0", id: 4, result: {} }, 4],
      [{ jsonrpc: "2.0", id: 4, method: "ping", params: [1] }, 4, -32_602],
      [{ jsonrpc: "2.0", id: 4, method: "ping", params: null }, 4, -32_602],
    ];
    for (const [body, id, code = -32_600] of wrong) {
      const answer = await send(JSON.stringify(body));
      expect([body, answer.status, answer.body.error.code, answer.body.id]).toEqual([body, 400, code, id]);
    }
  });

  test("an unknown method, an unknown tool and wrong parameters are errors of the protocol", async () => {
    for (const [message, code] of [
      [rpc("resources/list"), -32_601],
      [rpc("server/discover"), -32_601],
      [rpc("tools/list", { cursor: "x" }), -32_602],
      [rpc("tools/call"), -32_602],
      [rpc("tools/call", { name: 7 }), -32_602],
      [rpc("tools/call", { name: "__proto__" }), -32_602],
      [rpc("tools/call", { name: "list_devices", arguments: [] }), -32_602],
    ] as const) {
      const { status, body } = await send(message);
      expect([status, body.error.code]).toEqual([200, code]);
    }
  });

  test("a version that is not served is refused, and those that are, are named", async () => {
    for (const named of ["1999-01-01", "2027-01-01", "x", ""]) {
      const { status, body } = await send(rpc("tools/list"), version(named));
      expect([status, body.error.code, body.error.data.requested]).toEqual([400, -32_022, named]);
      expect(body.error.data.supported).toEqual(["2026-07-28", ...sessionVersions]);
    }
    for (const named of sessionVersions) expect((await send(rpc("tools/list"), version(named))).status).toBe(200);
    // The version is being agreed on, so the header cannot be right yet.
    expect((await send(rpc("initialize", {}), version("x"))).status).toBe(200);
  });

  test("a batch is answered in the one version that has batches", async () => {
    const batch = [rpc("ping", {}, 1), { jsonrpc: "2.0", method: "notifications/x" }, rpc("nothing", {}, 2), 3];
    for (const options of [{}, version("2025-03-26")]) {
      const { status, body } = await send(batch, options);
      expect(status).toBe(200);
      expect(body).toMatchObject([
        { id: 1, result: {} },
        { id: 2, error: { code: -32_601 } },
        { id: null, error: { code: -32_600 } },
      ]);
    }
    const notification = { jsonrpc: "2.0", method: "notifications/x" };
    expect((await send([notification, notification])).status).toBe(202);
    for (const named of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
      const { status, body } = await send(batch, version(named));
      expect([status, body.error.code]).toEqual([400, -32_600]);
    }
    for (const wrong of [[], Array(6).fill(rpc("ping"))]) {
      const { status, body } = await send(wrong);
      expect([status, body.error.code]).toEqual([400, -32_600]);
    }
  });

  test("without a session, every request says everything, and every result who answers", async () => {
    const discover = stateless("server/discover");
    const { status, body } = await send(discover.message, { headers: discover.headers });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      // With the fleet's time zone.
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "odograph" } },
    });
    const list = stateless("tools/list");
    const listed = await send(list.message, { headers: list.headers });
    expect(listed.body.result).toMatchObject({ resultType: "complete", cacheScope: "private" });
    expect(listed.body.result.ttlMs).toBeGreaterThan(0);
    const call = stateless("tools/call", { name: "list_devices", arguments: {} });
    const encoded = `=?base64?${Buffer.from("list_devices").toString("base64")}?=`;
    for (const name of ["list_devices", encoded]) {
      const answer = await send(call.message, { headers: { ...call.headers, "Mcp-Name": name } });
      expect([answer.body.result.resultType, answer.body.result.isError]).toEqual(["complete", false]);
    }
  });

  test("without a session, headers that are missing or contradict the body are refused", async () => {
    const { message, headers } = stateless("tools/call", { name: "list_devices", arguments: {} });
    for (const [name, values] of Object.entries({
      "MCP-Protocol-Version": [null, "2025-11-25", "2027-01-01"],
      "Mcp-Method": [null, "tools/list", "TOOLS/CALL"],
      "Mcp-Name": [null, "list_trips", "=?base64?!?="],
    })) {
      for (const value of values) {
        const { [name]: _, ...others } = headers;
        const answer = await send(message, { headers: value === null ? others : { ...others, [name]: value } });
        expect([name, value, answer.status, answer.body.error.code]).toEqual([name, value, 400, -32_020]);
        expect(answer.body.error.message).toContain(name);
      }
    }
  });

  test("without a session, missing metadata, other versions and unknown methods are refused", async () => {
    const { message, meta, headers } = stateless("tools/list");
    const withMeta = (changed: object) => ({ ...message, params: { _meta: { ...meta, ...changed } } });
    const key = "io.modelcontextprotocol/";
    const outcome = async (body: object, sent = headers) => {
      const answer = await send(body, { headers: sent });
      return [answer.status, answer.body.error.code];
    };
    expect(await outcome(withMeta({ [`${key}clientCapabilities`]: undefined }))).toEqual([400, -32_602]);
    expect(await outcome(withMeta({ [`${key}protocolVersion`]: 7 }))).toEqual([400, -32_602]);
    expect(await outcome({ ...message, params: {} })).toEqual([400, -32_602]);
    const future = { ...headers, "MCP-Protocol-Version": "2027-01-01" };
    expect(await outcome(withMeta({ [`${key}protocolVersion`]: "2027-01-01" }), future)).toEqual([400, -32_022]);
    for (const method of ["ping", "initialize", "subscriptions/listen", "nothing"]) {
      const other = stateless(method);
      expect(await outcome(other.message, other.headers)).toEqual([404, -32_601]);
    }
  });

  test("only POST is answered", async () => {
    for (const method of ["GET", "HEAD", "DELETE", "PUT", "PATCH", "OPTIONS"]) {
      for (const key of [world().keys.olga, null]) {
        const { status, headers } = await send(null, { method, key });
        expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
        expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
      }
    }
  });

  test("a missing or wrong key is a 401, as on /v1", async () => {
    for (const [index, key] of [null, "wrong", ...Object.values(world().deadKeys)].entries()) {
      const { status, headers, body } = await send(rpc("ping"), { key });
      const init = key === null ? {} : { headers: { "X-API-Key": key } };
      const onV1 = await world().api.request("/devices", init, `10.9.0.${index}`);
      expect([status, headers.get("WWW-Authenticate")]).toEqual([401, onV1.headers.get("WWW-Authenticate")]);
      expect(body.error).toEqual(onV1.body.error);
    }
  });

  test("web pages are refused; applications, and pages of the own machine, are not", async () => {
    const status = async (origin: string, key = world().keys.olga) =>
      (await send(rpc("ping"), { key, headers: { Origin: origin } })).status;
    for (const origin of [
      "https://evil.example",
      "http://odograph.test",
      "http://localhost.evil.example",
      "null",
      "",
    ]) {
      expect([origin, await status(origin)]).toEqual([origin, 403]);
      expect([origin, await status(origin, "wrong")]).toEqual([origin, 403]);
    }
    for (const origin of [
      "http://localhost:6274",
      "http://127.0.0.1:3000",
      "http://[::1]:3000",
      "vscode-file://vscode-app",
    ])
      expect([origin, await status(origin)]).toEqual([origin, 200]);
  });

  test("another type of content is refused, and so is a body that is too large", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
      const { status, body } = await send(rpc("ping"), { headers: { "Content-Type": type } });
      expect([type, status, body.error.code]).toEqual([type, 400, "INVALID_REQUEST"]);
      expect(body.error.message).toContain("Content-Type");
    }
    for (const type of ["application/json", "Application/JSON; charset=utf-8"]) {
      expect((await send(rpc("ping"), { headers: { "Content-Type": type } })).status).toBe(200);
    }
    const huge = JSON.stringify(rpc("ping", { text: "x".repeat(64 * 1024) }));
    const parts = () => new Blob([huge]).stream();
    for (const body of [huge, parts()]) {
      const answer = await send(body);
      expect([answer.status, answer.body.error.code]).toEqual([413, "BODY_TOO_LARGE"]);
    }
    const packed = await send(Bun.gzipSync(JSON.stringify(rpc("ping"))), { headers: { "Content-Encoding": "gzip" } });
    expect(packed.status).toBe(200);
    const bomb = await send(Bun.gzipSync(huge), { headers: { "Content-Encoding": "gzip" } });
    expect(bomb.status).toBe(413);
  });

  test("large answers are compressed for a client that accepts it", async () => {
    await using server = serveMcp(world().api);
    const response = await fetch(server.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-API-Key": world().keys.olga,
        "Accept-Encoding": "gzip",
      },
      body: JSON.stringify(rpc("tools/list")),
    });
    expect(response.headers.get("Content-Encoding")).toBe("gzip");
    expect(((await response.json()) as { result: { tools: unknown[] } }).result.tools.length).toBeGreaterThan(10);
  });

  test("whatever is sent, the answer is a reply and never a failure of the server", async () => {
    const keyed = world().keys.olga;
    const headerValues = fc.constantFrom("2026-07-28", "2025-11-25", "2025-03-26", "tools/call", "x", "=?base64?x?=");
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", 2, null),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.constantFrom("initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/x"),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              name: fc.constantFrom(
                "list_devices",
                "list_trips",
                "get_device",
                "list_sensor_readings",
                "report_mileage",
              ),
              arguments: fc.oneof(
                fc.jsonValue(),
                fc.dictionary(
                  fc.constantFrom("device_id", "imei", "from", "to", "limit", "cursor", "kind", "search", "__proto__"),
                  fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constantFrom(...Object.values(thatDay))),
                ),
              ),
              _meta: fc.dictionary(
                fc.constantFrom(
                  "io.modelcontextprotocol/protocolVersion",
                  "io.modelcontextprotocol/clientCapabilities",
                  "progressToken",
                ),
                fc.oneof(headerValues, fc.constant({})),
              ),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: ["method"] },
    );
    const body = fc.oneof(
      { weight: 8, arbitrary: message },
      { weight: 2, arbitrary: fc.array(message, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    const headers = fc.dictionary(
      fc.constantFrom("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"),
      headerValues,
    );
    await fc.assert(
      fc.asyncProperty(body, headers, async (sent, sentHeaders) => {
        const answer = await post(world().api, JSON.stringify(sent), { key: keyed, headers: sentHeaders });
        expect([200, 202, 400, 404]).toContain(answer.status);
        for (const reply of [answer.body].flat()) {
          if (reply === null) continue;
          expect(reply).toMatchObject({ jsonrpc: "2.0" });
          expect("result" in reply).not.toBe("error" in reply);
          expect(reply.result?.structuredContent?.error?.code).not.toBe("INTERNAL");
        }
      }),
      { numRuns: 300 },
    );
  });
});
