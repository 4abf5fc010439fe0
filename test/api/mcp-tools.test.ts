import { expect, test } from "bun:test";
import { cursor } from "../../src/api/input/parameters.ts";
import type { RpcParams } from "../../src/api/mcp/message.ts";
import { adviceFor } from "../../src/api/mcp/tool-result.ts";
import { toolTexts } from "../../src/api/mcp/tool-texts.ts";
import { type Tool, tools } from "../../src/api/mcp/tools.ts";
import { routes } from "../../src/api/routes.ts";
import { keyOf, startApi } from "../support/api.ts";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { bodyIn, post, toolCall } from "../support/mcp.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { Seed } from "../support/seed.ts";

test("every route is a tool, with a name that assistants accept and that stays", () => {
  expect(tools.size).toBe(routes.length);
  expect([...tools.keys()]).toEqual(
    expect.arrayContaining([
      "list_devices",
      "get_device",
      "get_device_alert_settings",
      "list_device_geofences",
      "list_latest_positions",
      "list_position_history",
      "list_trips",
      "list_stops",
      "list_alerts",
      "list_sensor_readings",
      "list_geofences",
      "list_geofence_events",
      "list_users",
      "get_user",
      "report_mileage",
    ]),
  );
  for (const name of tools.keys()) expect(name).toMatch(/^[a-z_]{1,64}$/);
});

test("every text for a model belongs to a route", () => {
  const operations = routes.map(({ operationId }) => operationId);
  for (const operation of Object.keys(toolTexts)) expect(operations).toContain(operation);
});

test("a tool says that it only reads, what it takes, and how to get more", () => {
  for (const { route, description: tool } of tools.values()) {
    expect(tool.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(tool.title).toBe(route.summary);
    expect(tool.description.length).toBeLessThan(1024);
    const { properties, required = [] } = tool.inputSchema;
    const expected = route.parameters.filter(({ name }) => name !== "format").map(({ name }) => name);
    expect(Object.keys(properties)).toEqual(expected);
    expect([...required]).toEqual(route.parameters.filter((one) => one.required).map(({ name }) => name));
    for (const argument of Object.values(properties)) {
      expect(argument.description).not.toBe("");
      expect(argument).not.toHaveProperty("format");
    }
    if ("cursor" in properties) {
      expect(tool.description).toContain("next_cursor");
      expect(properties.limit?.default).toBe(25);
    }
    if (route.windowed) expect(tool.description).toContain("`from` and `to`");
  }
});

test("advice on how to get less names arguments that the tool has, and no vehicle where one is named", () => {
  const days = { from: "2026-06-01", to: "2026-06-15" };
  for (const [name, tool] of tools) {
    for (const given of [days, { ...days, device_id: "x" }, { ...days, imei: "x", device_id: null }]) {
      const advice = adviceFor(tool, given).join(" ");
      const named = [...advice.matchAll(/`(\w+)`/g)].map(([, argument]) => argument ?? "");
      for (const argument of named) expect(tool.description.inputSchema.properties, name).toHaveProperty(argument);
      if (tool.description.inputSchema.properties.device_id && "device_id" in given)
        expect(advice).not.toContain("vehicle");
      const { path, operationId } = tool.route;
      const isOne = operationId.startsWith("get") || path.includes("{device_id}");
      expect(advice === "", name).toBe(isOne);
    }
  }
});

test("advice on how to get less can be followed: by no cursor, for no single day, and at no single row", () => {
  const advice = (name: string, given: RpcParams) => adviceFor(tools.get(name) as Tool, given).join(", or ");
  const rows = "ask for fewer rows with `limit`";
  for (const [name, { parameters }] of tools) {
    if (parameters.includes(cursor)) expect([name, advice(name, { cursor: "x" })]).toEqual([name, rows]);
    expect(advice(name, { cursor: "x", limit: 1 })).not.toContain("`limit`");
  }
  expect(advice("list_trips", { cursor: null, limit: "2" })).toEndWith(
    `shorter window with \`from\` and \`to\`, or ${rows}`,
  );
  const vehicle = "ask for one vehicle at a time with `device_id` or `imei`";
  for (const oneDay of [{}, { to: "2026-06-15" }, { from: "2026-06-14", to: "2026-06-15" }])
    expect(advice("report_mileage", oneDay)).toBe(vehicle);
  const days = `${vehicle}, or ask for fewer days with \`from\` and \`to\``;
  expect(advice("report_mileage", { from: "2026-06-13", to: "2026-06-15" })).toBe(days);
  expect(advice("report_mileage", { from: "2026-06-13" })).toBe(days);
});

test("the list of tools stays small: a model reads all of it", () => {
  const list = JSON.stringify(Array.from(tools.values(), ({ description }) => description));
  expect(list.length).toBeLessThan(1_500 * tools.size);
});

onOneEngine("a tool", (engine) => {
  const world = engine.shared(startWorld, stopWorld);
  const call = async (name: string, given: object = {}) => {
    const { status, body } = await post(world().api, toolCall(name, given), { key: world().keys.olga });
    expect(status).toBe(200);
    return body.result;
  };

  test("takes numbers and booleans as such or as text, and null for what is left out", async () => {
    const { imei } = world().devices.van;
    const plain = await call("list_position_history", { imei, ...thatDay, limit: 2, valid_only: false });
    expect(bodyIn(plain).data).toHaveLength(2);
    for (const given of [
      { imei, ...thatDay, limit: "2", valid_only: "false" },
      { imei, ...thatDay, limit: 2, valid_only: false, cursor: null, device_id: null },
    ]) {
      expect(bodyIn(await call("list_position_history", given))).toEqual(bodyIn(plain));
    }
    expect(bodyIn(await call("list_devices", { search: "100%_\\" })).data).toHaveLength(1);
  });

  test("takes several values as a list or with commas between them", async () => {
    for (const types of [["trip", "alert"], "trip,alert", []])
      expect((await call("list_changes", { types })).isError).toBe(types.length === 0);
    for (const [types, expected] of [
      [["trip", "boat"], "types: expected a comma-separated list of device"],
      [["trip", ["alert"]], "types: expected"],
    ] as const) {
      const { isError, content } = await call("list_changes", { types });
      expect([isError, content[0].text]).toEqual([true, expect.stringContaining(expected)]);
    }
  });

  test("names every argument that is wrong, unknown or missing", async () => {
    for (const [name, given, expected] of [
      ["list_devices", { limit: 0 }, "limit: expected a whole number from 1 to 500"],
      ["list_devices", { limit: 1.5 }, "limit: expected"],
      ["list_devices", { limit: [1] }, "limit: expected a single value, got a list"],
      ["list_devices", { status: {} }, "status: expected a single value, got an object"],
      ["list_devices", { imei: "" }, "imei: expected"],
      ["list_devices", { cursor: "forged" }, "cursor: expected"],
      ["list_trips", { deviceId: "x", vehicle: 1 }, "deviceId: there is no such argument"],
      ["list_trips", { deviceId: "x", vehicle: 1 }, "vehicle: there is no such argument"],
      ["list_trips", { from: "yesterday", to: "x" }, "from: expected"],
      ["list_trips", { from: "yesterday", to: "x" }, "to: expected"],
      ["list_position_history", {}, "device_id: expected a device, by device_id or by imei"],
      ["get_device", {}, "device_id: expected a value, got nothing"],
      ["list_sensor_readings", { kind: null }, "kind: expected a value, got nothing"],
    ] as const) {
      const { isError, structuredContent, content } = await call(name, given);
      expect([isError, structuredContent.error.code]).toEqual([true, "INVALID_REQUEST"]);
      expect(content[0].text).toContain(expected);
    }
    const kind = await call("list_sensor_readings", { kind: "sound" });
    expect(kind.content[0].text).toContain("there are fuel, temperature, tyre");
  });

  test("says which window it read, and that it was shortened", async () => {
    const last = (result: { content: { text: string }[] }) => result.content.at(-1)?.text;
    const day = await call("list_alerts", thatDay);
    expect(last(day)).toBe(
      "This is the window from 2026-06-15T00:00:00.000Z (included) to 2026-06-16T00:00:00.000Z (not included).",
    );
    const long = await call("list_alerts", { from: "2026-01-01", to: "2026-06-16" });
    expect(last(long)).toContain("from 2026-05-16T00:00:00.000Z");
    expect(last(long)).toContain("A longer one was asked for");
    expect((await call("get_user", { user_id: world().users.anna.id })).content).toHaveLength(1);
  });

  test("gives 25 rows of a long list, and refuses an answer that nobody could read", async () => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const account = seed.account();
    const owner = seed.user(account, { role: "owner" });
    const [device] = Array.from({ length: 40 }, () => seed.device(account)).map((one) => {
      for (let day = 0; day < 60; day++) seed.mileage(one, { day: 20_600 - day });
      return one;
    });
    await seed.save(database);
    const api = await startApi(database);
    const key = await keyOf(database, owner.email);
    const ask = async (name: string, given: object) => (await post(api, toolCall(name, given), { key })).body.result;
    const first = await ask("list_devices", {});
    expect(bodyIn(first).data).toHaveLength(25);
    const second = bodyIn(await ask("list_devices", { cursor: bodyIn(first).next_cursor }));
    expect([second.data.length, second.next_cursor]).toEqual([15, null]);

    const at = (day: number) => new Date(day * 86_400_000).toISOString();
    const window = { from: at(20_541), to: at(20_601) };
    const all = await ask("report_mileage", window);
    expect([all.isError, all.structuredContent.error.code]).toEqual([true, "INVALID_REQUEST"]);
    expect(all.content[0].text).toContain(
      "longer than 256 KiB: ask for one vehicle at a time with `device_id` or `imei`, or ask for fewer days with `from` and `to` (",
    );
    // Its stream has ended, so it holds no place: there are twelve for a key.
    for (let time = 0; time < 15; time++) expect((await ask("report_mileage", window)).isError).toBe(true);
    const streamed = await ask("report_mileage", { from: at(20_588), to: at(20_601) });
    expect([streamed.isError, bodyIn(streamed).data.length]).toEqual([false, 13 * 40]);
    const one = await ask("report_mileage", { ...window, device_id: device?.id });
    expect(bodyIn(one).data).toHaveLength(60);
    await api.close();
  });
});
