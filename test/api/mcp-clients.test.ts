import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020.js";
import packageFile from "../../package.json" with { type: "json" };
import { tools } from "../../src/api/mcp/tools.ts";
import { type ApiWorld, startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { bodyIn, officialClients, serveMcp } from "../support/mcp.ts";
import { onOneEngine } from "../support/one-engine.ts";

/** Arguments with which each tool finds something. Those that need none are not named. */
function argumentsFor({ devices, users }: ApiWorld): Record<string, Record<string, string | number | boolean>> {
  const van = { device_id: devices.van.id };
  return {
    list_devices: { search: "van", status: "active" },
    get_device: { device_id: devices.van.imei },
    get_device_alert_settings: van,
    list_device_geofences: van,
    list_latest_positions: { limit: 2 },
    list_position_history: { imei: devices.van.imei, ...thatDay, valid_only: false },
    list_trips: { ...van, ...thatDay },
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
  if ("limit" in tool.description.inputSchema.properties && !rest.has("limit")) rest.set("limit", "25");
  return rest.size === 0 ? path : `${path}?${new URLSearchParams([...rest])}`;
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
        const answer = await assistant.call(tool.name, wanted);
        expect([tool.name, answer.isError]).toEqual([tool.name, false]);
        const { body, text } = await world().get(pathOf(tool.name, wanted));
        expect(bodyIn(answer)).toEqual(body);
        expect(answer.content[0]?.text).toBe(text);
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

    test(`${name}: is refused without a valid key`, async () => {
      await using server = serveMcp(world().api);
      for (const headers of [{}, { "X-API-Key": world().deadKeys.revoked ?? "" }]) {
        await expect(connect(server.url, headers)).rejects.toThrow(/401|INVALID_API_KEY|nauthorized/);
      }
    });
  }

  test("reads page after page with the cursor of the page before", async () => {
    await using server = serveMcp(world().api);
    for (const { connect } of Object.values(officialClients)) {
      const assistant = await connect(server.url, { "X-API-Key": world().keys.olga });
      const whole = await world().get(`/trips?from=${thatDay.from}&to=${thatDay.to}`);
      const rows: unknown[] = [];
      let given: Record<string, unknown> = { ...thatDay, limit: 3 };
      for (;;) {
        const answer = await assistant.call("list_trips", given);
        const page = bodyIn(answer);
        rows.push(...page.data);
        if (page.next_cursor === null) break;
        expect(answer.content[1]?.text).toContain("call list_trips again");
        given = { ...thatDay, limit: 3, cursor: page.next_cursor };
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
