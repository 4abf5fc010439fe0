import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import Ajv2020 from "ajv/dist/2020.js";
import packageFile from "../../package.json" with { type: "json" };
import { tools } from "../../src/api/mcp/tools.ts";
import { type ApiWorld, startWorld, stopWorld, thatDay, thatTime } from "../support/api-fleet.ts";
import { bodyIn, officialClients, post, rpc, serveMcp } from "../support/mcp.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { until } from "../support/patience.ts";
import { sameButLimits } from "../support/route-request.ts";

/** Arguments with which each tool finds something. Those that need none are not named. */
function argumentsFor({ devices, users }: ApiWorld): Record<string, Record<string, string | number | boolean>> {
  const van = { device_id: devices.van.id };
  return {
    list_devices: { search: "van", status: "active" },
    get_device: { device_id: devices.van.imei },
    get_device_alert_settings: van,
    list_device_geofences: van,
    list_latest_positions: { limit: 2 },
    list_position_history: { device_id: devices.van.id, ...thatDay, valid_only: false },
    list_positions_at: { time: thatTime, near: "52.5,13.4" },
    list_trips: { ...van, ...thatDay },
    list_stops: { ...thatDay, min_duration_s: 601 },
    list_alerts: { ...thatDay, severity: "critical", acknowledged: true },
    list_sensor_readings: { kind: "fuel", ...van, ...thatDay },
    list_geofence_events: thatDay,
    get_user: { user_id: users.anna.id },
    report_mileage: { from: "2026-06-14", to: "2026-06-16" },
  };
}

/** The same request to /v1. */
function pathOf(name: string, given: Record<string, string | number | boolean>): string {
  const tool = tools.get(name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  const rest = new Map(Object.entries(given).map(([key, value]) => [key, String(value)]));
  const path = tool.route.path.replaceAll(/\{(\w+)\}/g, (_, key) => {
    const value = rest.get(key) ?? "";
    rest.delete(key);
    return value;
  });
  if ("limit" in tool.description.inputSchema.properties && !rest.has("limit")) rest.set("limit", "50");
  // Tools always show names beside ids.
  rest.set("include_names", "true");
  return `${path}?${new URLSearchParams([...rest])}`;
}

/** What is left of the caller's limits is less with each call, and cursors of tools are short. */
function lasting(text: string): string {
  return sameButLimits(text).replace(/"next_cursor":"[^"]+"/, '"next_cursor":"more"');
}

onOneEngine("an assistant with an official client", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  for (const [name, { connect, era }] of Object.entries(officialClients)) {
    test(`${name}: lists the tools and gets from each what the API answers`, async () => {
      await using server = serveMcp(world().api);
      const assistant = await connect(server.url, { Authorization: `Bearer ${world().keys.olga}` });
      expect(assistant.era()).toBe(era);
      expect(assistant.serverVersion()).toMatchObject({ name: "odograph", version: packageFile.version });
      expect(assistant.instructions()).toContain("list_devices");
      const listed = await assistant.listTools();
      expect(listed.map((tool) => tool.name)).toEqual([...tools.keys()]);
      const given = argumentsFor(world());
      for (const tool of listed) {
        const wanted = given[tool.name] ?? {};
        // What a client that checks arguments would let pass.
        const isRight = new Ajv2020({ strict: false, validateFormats: false }).compile(tool.inputSchema);
        expect([tool.name, isRight({ ...wanted, ...booleansAsText(wanted) })]).toEqual([tool.name, true]);
        const shown = tools.get(tool.name)?.description.inputSchema.properties.fields ? { fields: "all" } : {};
        const answer = await assistant.call(tool.name, { ...wanted, ...shown });
        expect([tool.name, answer.isError]).toEqual([tool.name, false]);
        const { text } = await world().get(pathOf(tool.name, wanted));
        expect(lasting(answer.content[0]?.text ?? "")).toBe(lasting(text));
        if (given[tool.name]) expect(text).not.toContain('"data":[]');
      }
      await assistant.close();
    });

    test(`${name}: gets an unknown tool and an unknown device as errors, and goes on`, async () => {
      await using server = serveMcp(world().api);
      const assistant = await connect(server.url, { "X-API-Key": world().keys.olga });
      await expect(assistant.call("delete_device")).rejects.toMatchObject({ code: -32_602 });
      const { structuredContent, content, isError } = await assistant.call("get_device", { device_id: "nothing" });
      expect([isError, structuredContent.error.code]).toEqual([true, "NOT_FOUND"]);
      expect(content[0]?.text).toStartWith("NOT_FOUND: ");
      expect((await assistant.call("list_devices")).isError).toBe(false);
      await assistant.close();
    });
  }

  test("reads page after page with the cursor of the page before", async () => {
    await using server = serveMcp(world().api);
    for (const { connect } of Object.values(officialClients)) {
      const assistant = await connect(server.url, { "X-API-Key": world().keys.olga });
      const whole = await world().get(`/trips?from=${thatDay.from}&to=${thatDay.to}&include_names=true`);
      const rows: unknown[] = [];
      let given: Record<string, unknown> = { ...thatDay, limit: 3, fields: "all" };
      for (;;) {
        const answer = await assistant.call("list_trips", given);
        const page = bodyIn(answer);
        rows.push(...page.data);
        if (page.next_cursor === null) break;
        expect(answer.content[1]?.text).toContain("call list_trips again");
        given = { ...given, cursor: page.next_cursor };
      }
      expect(rows).toEqual(whole.body.data);
      await assistant.close();
    }
  });
});

/** The API describes this one as a text, so that clients can leave it out; both are understood. */
function booleansAsText(given: Record<string, unknown>): Record<string, string> {
  return "acknowledged" in given ? { acknowledged: String(given.acknowledged) } : {};
}

onOneEngine("clients of /mcp that do not finish", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  /** Begins a message of the largest size, and leaves it at that. */
  function begin(url: URL): { readonly socket: Socket; readonly answer: () => string } {
    let answer = "";
    const head = [
      "POST /mcp HTTP/1.1",
      "Host: odograph.test",
      `X-API-Key: ${world().keys.olga}`,
      "Content-Type: application/json",
      `Content-Length: ${64 * 1024}`,
    ];
    const socket = connect(Number(url.port), url.hostname, () => socket.write(`${head.join("\r\n")}\r\n\r\n{`));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => {});
    return { socket, answer: () => answer };
  }

  test("one that breaks off is no failure", async () => {
    await using server = serveMcp(world().api);
    const { observations } = world().api;
    const seen = observations.length;
    const isSeen = () => observations.slice(seen).some(({ kind }) => kind === "request_aborted");
    // One that is gone before it was read is not seen at all.
    await until(async () => {
      const { socket } = begin(server.url);
      await Bun.sleep(20);
      socket.destroy();
      return isSeen();
    });
    expect(observations.slice(seen).filter(({ kind }) => kind === "request_failed")).toEqual([]);
  });

  test("those of one account cannot take all the memory, nor the place of others", async () => {
    await using server = serveMcp(world().api);
    const begun = Array.from({ length: 60 }, () => begin(server.url));
    await until(() => begun.some(({ answer }) => answer().includes("TOO_MANY_UPLOADS")));
    const refused = begun.find(({ answer }) => answer().includes("TOO_MANY_UPLOADS"))?.answer() ?? "";
    expect(refused).toStartWith("HTTP/1.1 429 ");
    expect(refused).toMatch(/^Retry-After: 5\r$/m);
    expect((await post(world().api, rpc("ping"), { key: world().keys.otto })).status).toBe(200);
    for (const { socket } of begun) socket.destroy();
    await until(async () => (await post(world().api, rpc("ping"), { key: world().keys.olga })).status === 200);
  });
});
