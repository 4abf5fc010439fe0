import { expect, test } from "bun:test";
import { tools } from "../../src/api/mcp/tools.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { plainSql } from "../../src/store/sql.ts";
import { keyOf } from "../support/api.ts";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { onEachEngine } from "../support/engines.ts";
import { figures, inOneSecond, sharedFleetApi, withoutTable } from "../support/fleet-api.ts";
import { bodyIn, officialClients, post, rpc, serveMcp, stateless, toolCall } from "../support/mcp.ts";

function scopeOf(name: string): string {
  return tools.get(name)?.route.scope ?? "";
}

onEachEngine("what an assistant may see", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  test("a key with one scope lists the tools of that scope only, and says which scope another needs", async () => {
    await using server = serveMcp(world().api);
    for (const scope of allScopes) {
      const key = await keyOf(world().store.database, "olga@acme.example", { scopes: [scope] });
      for (const { connect } of Object.values(officialClients)) {
        const assistant = await connect(server.url, { "X-API-Key": key });
        const listed = (await assistant.listTools()).map(({ name }) => name);
        const others: readonly string[] = allScopes.filter((other) => other !== scope);
        expect(listed).toEqual([...tools.keys()].filter((name) => !others.includes(scopeOf(name))));
        for (const [name, { route }] of tools) {
          if (listed.includes(name)) continue;
          const { isError, structuredContent, content } = await assistant.call(name);
          expect(isError).toBe(true);
          expect(structuredContent.error).toMatchObject({ code: "INSUFFICIENT_SCOPE", granted_scopes: [scope] });
          expect(structuredContent.error.required_scopes).toEqual([route.scope]);
          expect(content[0]?.text).toContain(route.scope);
        }
        await assistant.close();
      }
    }
  });

  test("a list shows each viewer what /v1 shows it", async () => {
    const { api, keys, get } = world();
    for (const viewer of ["olga", "anna", "ben", "otto"] as const) {
      for (const [name, path] of [
        ["list_devices", "/devices"],
        ["list_latest_positions", "/positions/latest"],
        ["list_trips", "/trips"],
        ["list_alerts", "/alerts"],
        ["list_geofences", "/geofences"],
        ["list_users", "/users"],
      ] as const) {
        const isWindowed = tools.get(name)?.route.windowed ?? false;
        const given = { ...(isWindowed ? thatDay : {}), fields: "all", limit: 100 };
        const { body } = await post(api, toolCall(name, given), { key: keys[viewer] });
        const query = `?include_names=true${isWindowed ? `&from=${thatDay.from}&to=${thatDay.to}` : ""}`;
        expect(bodyIn(body.result)).toEqual((await get(path + query, viewer)).body);
      }
    }
  });
});

onEachEngine("what an assistant's calls cost", (engine) => {
  const given = sharedFleetApi(engine);

  test("a message costs one of the second; a tool one of the day, as its route would", async () => {
    const { api, database, key } = given();
    await inOneSecond(database, async () => {
      const limited = await key({ perDay: 20, perSecond: 15, scopes: ["devices:read", "trips:read"] });
      const modern = stateless("tools/list");
      const steps: [status: number, body: object, headers: Record<string, string>, day: number, second: number][] = [
        [200, rpc("initialize", { protocolVersion: "2025-11-25" }), {}, 20, 14],
        [202, { jsonrpc: "2.0", method: "notifications/initialized" }, {}, 20, 13],
        [200, rpc("tools/list"), {}, 20, 12],
        [200, modern.message, modern.headers, 20, 11],
        [200, rpc("nothing"), {}, 20, 10],
        [400, rpc("ping", {}, null), {}, 20, 9],
        [200, toolCall("no_such_tool"), {}, 20, 8],
        [200, toolCall("list_devices"), {}, 19, 7],
        // As on /v1, wrong input and a missing scope are charged.
        [200, toolCall("list_devices", { limit: 0 }), {}, 18, 6],
        [200, toolCall("list_alerts"), {}, 17, 5],
        [200, toolCall("get_device", { device_id: "x" }), {}, 16, 4],
      ];
      for (const [status, body, headers, remaining, remainingSecond] of steps) {
        const response = await post(api, body, { key: limited, headers });
        expect([response.status, figures(response)]).toMatchObject([
          status,
          { limit: 20, remaining, limitSecond: 15, remainingSecond },
        ]);
      }
      await withoutTable(database, "trips", async () => {
        const response = await post(api, toolCall("list_trips"), { key: limited });
        expect([response.status, figures(response)]).toMatchObject([200, { remaining: 16, remainingSecond: 3 }]);
        const { isError, structuredContent } = response.body.result;
        expect([isError, structuredContent.error.code]).toEqual([true, "INTERNAL"]);
      });
    });
  });

  test("a limit that is reached is a 429 with Retry-After, and to a model a result that says how long to wait", async () => {
    const { api, database, key } = given();
    await inOneSecond(database, async () => {
      const limited = await key({ perSecond: 2 });
      for (const _ of [1, 2]) expect((await post(api, rpc("ping"), { key: limited })).status).toBe(200);
      const { status, headers, body } = await post(api, rpc("ping"), { key: limited });
      expect([status, headers.get("Retry-After"), body.error.code]).toEqual([429, "1", "RATE_LIMITED"]);
      expect(headers.get("X-Request-Id")).toBe(body.request_id);
      const notification = { jsonrpc: "2.0", method: "tools/call", params: { name: "list_devices" } };
      for (const other of [notification, [toolCall("list_devices")]])
        expect((await post(api, other, { key: limited })).status).toBe(429);
      // A model reads results, and not what its program makes of a status.
      const tool = await post(api, toolCall("list_devices"), { key: limited });
      expect([tool.status, tool.body.result.isError]).toEqual([200, true]);
      expect(tool.body.result.structuredContent.error.code).toBe("RATE_LIMITED");
      expect(tool.body.result.content[0].text).toContain("wait a second before the next");
      expect(figures(tool).remaining).toBe(figures(tool).limit);
    });
    const limited = await key({ perDay: 1, perSecond: 1000 });
    const call = () => post(api, toolCall("list_devices"), { key: limited });
    expect((await call()).status).toBe(200);
    const refused = await call();
    expect([refused.status, refused.body.result.isError]).toEqual([200, true]);
    expect(refused.body.result.structuredContent.error.code).toBe("RATE_LIMITED");
    expect(refused.body.result.content[0].text).toContain("it goes on at midnight UTC");
    // What costs nothing of the day goes on.
    expect((await post(api, rpc("tools/list"), { key: limited })).status).toBe(200);
  });

  test("each message of a batch is counted, and none is answered beyond the limit", async () => {
    const { api, database, key } = given();
    const batch = (...calls: object[]) => calls;
    await inOneSecond(database, async () => {
      const limited = await key({ perSecond: 3 });
      const full = await post(api, batch(rpc("ping"), rpc("ping"), rpc("ping")), { key: limited });
      expect([full.status, figures(full).remainingSecond]).toEqual([200, 0]);
      const other = await key({ perSecond: 3 });
      expect((await post(api, Array(4).fill(rpc("ping")), { key: other })).status).toBe(429);
    });
    const limited = await key({ perDay: 1, perSecond: 1000 });
    const { body } = await post(api, batch(toolCall("list_devices"), toolCall("list_devices", {}, "b")), {
      key: limited,
    });
    expect(body[0].result.isError).toBe(false);
    expect(body[1]).toMatchObject({ id: "b", result: { isError: true } });
    expect(body[1].result.structuredContent.error.code).toBe("RATE_LIMITED");
  });

  test("usage is counted for the endpoint /mcp", async () => {
    const { database, key, node } = given();
    const own = await node();
    const counted = await key();
    for (const body of [rpc("tools/list"), toolCall("list_devices"), "nonsense"])
      await post(own, body, { key: counted });
    await own.api.close();
    const rows = await database.all<{ requests: number; errors: number }>(
      plainSql("select sum(requests) as requests, sum(errors) as errors from key_usage where endpoint = '/mcp'"),
    );
    expect(Number(rows[0]?.requests)).toBeGreaterThanOrEqual(3);
    expect(Number(rows[0]?.errors)).toBeGreaterThanOrEqual(1);
  });

  test("every error is in the log with the request id that the client got", async () => {
    const { api, key } = given();
    const own = await key({ scopes: ["devices:read"] });
    const idsOf = async (body: object | string, options = {}) => {
      const answer = await post(api, body, { key: own, ...options });
      const id = answer.headers.get("X-Request-Id");
      const shown =
        answer.body.request_id ?? answer.body.error?.data.request_id ?? answer.body.result.structuredContent.request_id;
      expect(shown).toBe(id);
      return api.observations.find((fact) => fact.kind === "request_refused" && fact.requestId === id);
    };
    const route = "/mcp";
    expect(await idsOf("{")).toMatchObject({ route, code: "INVALID_REQUEST", status: 400, keyId: expect.any(String) });
    expect(await idsOf(rpc("nothing"))).toMatchObject({ route, code: "NOT_FOUND" });
    expect(await idsOf(toolCall("list_trips"))).toMatchObject({ route, code: "INSUFFICIENT_SCOPE", status: 403 });
    expect(await idsOf(toolCall("get_device", { device_id: "x" }))).toMatchObject({ route, code: "NOT_FOUND" });
    expect(await idsOf(rpc("ping"), { key: "wrong" })).toMatchObject({ route, code: "INVALID_API_KEY", status: 401 });
    expect(await idsOf(rpc("ping"), { headers: { Origin: "https://evil.example" } })).toMatchObject({
      code: "FORBIDDEN",
      status: 403,
    });
  });
});
