import { expect, test } from "bun:test";
import { cursor } from "../../src/api/input/parameters.ts";
import { pageRows, tokensOf } from "../../src/api/mcp/tool-budget.ts";
import { fittingRows, sumsOf, withShortRows } from "../../src/api/mcp/tool-rows.ts";
import { toolTexts } from "../../src/api/mcp/tool-texts.ts";
import { type Tool, tools } from "../../src/api/mcp/tools.ts";
import { routes } from "../../src/api/routes.ts";
import { keyOf, startApi } from "../support/api.ts";
import { startWorld, stopWorld, thatDay } from "../support/api-fleet.ts";
import { bodyIn, post, type ToolAnswer, toolCall } from "../support/mcp.ts";
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
    // A vehicle's id may be its IMEI.
    const isNamedTwice = route.parameters.some(({ name }) => name === "device_id");
    const own = ["format", "fields", "include_names", "geometry", "offset", ...(isNamedTwice ? ["imei"] : [])];
    const isOfRoute = (name: string) => !own.includes(name);
    const offered = route.parameters.filter(({ isDeprecated }) => !isDeprecated);
    const expected = offered.map(({ name }) => name).filter(isOfRoute);
    expect(Object.keys(properties).filter(isOfRoute)).toEqual(expected);
    expect(tool.description).toMatch(/About \d+ tokens/);
    expect([...required]).toEqual(route.parameters.filter((one) => one.required).map(({ name }) => name));
    for (const argument of Object.values(properties)) {
      expect(argument.description).not.toBe("");
      expect(argument).not.toHaveProperty("format");
    }
    if ("cursor" in properties) {
      expect(tool.description).toContain("next_cursor");
      expect(properties.limit?.default).toBe(pageRows(route));
      expect(pageRows(route)).toBeWithin(5, 51);
    }
    if (route.windowed) expect(tool.description).toContain("`from` and `to`");
  }
});

test("a long list is cut to what fits, the weightiest rows first, and says how to go on", () => {
  const all = Array.from({ length: 20 }, (_, index) => ({ name: `Van ${index}`, distance_km: index }));
  const mileage = tools.get("report_mileage") as Tool;
  const room = { offset: 0, count: null, maxTokens: 80 };
  expect(fittingRows(mileage.route, "report_mileage", all, { ...room, maxTokens: 4_000 })).toEqual({
    rows: all,
    notes: [],
  });
  const names: string[] = [];
  let offset = 0;
  for (let isMore = true; isMore; ) {
    const { rows, notes } = fittingRows(mileage.route, "report_mileage", all, { ...room, offset });
    expect(tokensOf(JSON.stringify(rows))).toBeLessThanOrEqual(80);
    names.push(...rows.map(({ name }) => String(name)));
    offset += rows.length;
    isMore = notes.join().includes(`with the same arguments and offset ${offset} for the next.`);
    expect(notes[0]).toStartWith(`Rows ${offset - rows.length + 1} to ${offset} of 20, the largest distance_km first.`);
  }
  expect(names).toEqual(all.map(({ name }) => name).reverse());
  // One that is too long by itself comes alone.
  expect(fittingRows(mileage.route, "report_mileage", all, { ...room, offset: 3, maxTokens: 2 }).rows).toHaveLength(1);
  // A model may want fewer than fit.
  const two = fittingRows(mileage.route, "report_mileage", all, { offset: 4, count: 2, maxTokens: 4_000 });
  expect(two.rows).toEqual(all.toReversed().slice(4, 6));
  expect(two.notes[0]).toStartWith("Rows 5 to 6 of 20");
  expect(fittingRows(mileage.route, "report_mileage", all, { ...room, offset: 20 })).toEqual({
    rows: [],
    notes: ["There are 20 rows."],
  });
});

test("a report that is too long is asked for again, coarser than it was asked for", () => {
  const { route } = tools.get("report_mileage") as Tool;
  const parameters = ["period", "group_by"].map((name) => ({ ...cursor, name }));
  const [month, total] = [{ period: "month" }, { period: "total" }];
  const long = (given: object) => sumsOf({ ...route, parameters }, { ...given }).ifLong;
  expect(long({})).toEqual([{}, month, total]);
  expect(long({ period: "week", group_by: "tag" })).toEqual([{}, month, total]);
  expect(long(month)).toEqual([{}, total]);
  expect(long(total)).toEqual([{}]);
  // Where the route has no sums, there are none.
  expect(sumsOf({ ...route, parameters: [] }, {})).toEqual({ ifLong: [{}], ifEndless: [] });
});

test("long lists inside a record are left out, and nothing else", () => {
  const points = Array.from({ length: 500 }, (_, index) => [index, index / 2]);
  const fence = { name: "Yard", geometry: { type: "Polygon", coordinates: [points] }, bbox: [1, 2, 3, 4] };
  expect(withShortRows({ data: [fence], next_cursor: null })).toEqual({
    data: [{ ...fence, geometry: { type: "Polygon", coordinates: ["left out, 500 items: the API shows them"] } }],
    next_cursor: null,
  });
});

test("the list of tools stays small: a model reads all of it", () => {
  const list = JSON.stringify(Array.from(tools.values(), ({ description }) => description));
  // Of these texts a token is about 3.9 characters: fewer than 5,000 of them.
  expect(list.length).toBeLessThan(19_500);
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
    const user = await call("get_user", { user_id: world().users.anna.id });
    expect(last(user)).toMatch(/^As of \d{4}-\d\d-\d\dT[\d:.]+Z\.$/);
    const then = await call("list_positions_at", { time: "2026-06-15T12:17:00Z" });
    expect(last(then)).toBe("As of 2026-06-15T12:17:00.000Z.");
  });

  test("shows the usual fields, those that are named, or all", async () => {
    const [usual] = bodyIn(await call("list_devices", { search: "Amber" })).data;
    expect(Object.keys(usual)).toEqual([
      ...["device_id", "name", "plate", "status", "vehicle_type", "tags", "odometer_km", "last_seen_at"],
    ]);
    for (const fields of ["name, vin", ["name", "vin"]]) {
      const [named] = bodyIn(await call("list_devices", { search: "Amber", fields })).data;
      expect(Object.keys(named)).toEqual(["name", "vin"]);
    }
    const all = bodyIn(await call("list_devices", { search: "Amber", fields: "all" }));
    expect(all.data).toEqual((await world().get("/devices?search=Amber&include_names=true")).body.data);
    const unknown = await call("list_devices", { fields: "name,colour" });
    expect(unknown.content[0].text).toContain("fields: there is no colour; there are device_id, imei, name");
  });

  test("shows what distinguishes rows, whichever fields are named", async () => {
    const keysOf = async (tool: string, more: Record<string, string>, fields: string) => {
      const { data } = bodyIn(await call(tool, { ...thatDay, ...more, fields }));
      expect(new Set(data.map((row: object) => JSON.stringify(row))).size).toBe(data.length);
      return [...new Set<string>(data.flatMap(Object.keys))];
    };
    expect(await keysOf("report_mileage", {}, "distance_km")).toEqual(["name", "date", "distance_km"]);
    const byTag = { period: "day", group_by: "tag" };
    expect(await keysOf("report_mileage_sums", byTag, "trip_count")).toEqual(["period_start", "tag", "trip_count"]);
    const van = { device_id: world().devices.van.id };
    const positions = await keysOf("list_position_history", van, "speed_kmh");
    expect(positions).toEqual(["device_name", "recorded_at", "speed_kmh"]);
    expect(await keysOf("list_trips", {}, "distance_km")).toEqual(["trip_id", "device_name", "distance_km"]);
  });

  test("takes a vehicle's or a fence's name for its id, and asks which one if several have it", async () => {
    const { van } = world().devices;
    const byId = await call("list_trips", { ...thatDay, device_id: van.id });
    for (const device_id of ["Amber van", "amber", van.imei])
      expect(bodyIn(await call("list_trips", { ...thatDay, device_id }))).toEqual(bodyIn(byId));
    expect(bodyIn(await call("get_device", { device_id: "amber VAN" })).data.device_id).toBe(van.id);
    const nobody = await call("list_trips", { device_id: "Zebra" });
    expect(nobody.content[0].text).toStartWith('NOT_FOUND: device_id: nothing that the key can see is called "Zebra"');
    const several = await call("list_trips", { device_id: "r" });
    expect(several.content[0].text).toContain('INVALID_REQUEST: device_id: several match "r": ');
    expect(several.content[0].text).toContain(`Amber van (${van.id})`);
    // What a sub-account does not see has no name for it.
    const { status, body } = await post(world().api, toolCall("get_device", { device_id: "Fjord ferry" }), {
      key: world().keys.anna,
    });
    expect([status, body.result.structuredContent.error.code]).toEqual([200, "NOT_FOUND"]);
  });

  test("never gives more than a model can read, and always says how to get the rest", async () => {
    const { database } = await engine.fresh();
    const seed = new Seed();
    const account = seed.account();
    const owner = seed.user(account, { role: "owner" });
    const [device] = Array.from({ length: 60 }, () => seed.device(account)).map((one) => {
      for (let day = 0; day < 60; day++) seed.mileage(one, { day: 20_600 - day });
      seed.position(one);
      return one;
    });
    await seed.save(database);
    const api = await startApi(database);
    const key = await keyOf(database, owner.email);
    const ask = async (name: string, given: object) => (await post(api, toolCall(name, given), { key })).body.result;
    const tokens = (answer: ToolAnswer) => tokensOf(answer.content.map(({ text }) => text).join("\n"));
    const first = await ask("list_devices", {});
    const rows = bodyIn(first).data.length;
    expect(rows).toBe(pageRows((tools.get("list_devices") as Tool).route));
    const second = bodyIn(await ask("list_devices", { cursor: bodyIn(first).next_cursor }));
    expect(second.data.length).toBe(Math.min(rows, 60 - rows));
    // Whole records of all: more than fits, even with a limit of their own.
    const many = await ask("list_devices", { fields: "all" });
    expect(tokens(many)).toBeLessThanOrEqual(3_000);
    expect(bodyIn(many).next_cursor).toBeString();
    expect(tokens(await ask("list_devices", { fields: "all", limit: 500 }))).toBeLessThanOrEqual(10_000);

    const near = async (given: object) => ask("list_latest_positions", { near: "52.5,13.4", ...given });
    const nearest = await near({});
    expect(tokens(nearest)).toBeLessThanOrEqual(3_000);
    const shown = bodyIn(nearest).data.length;
    expect(nearest.content[1].text).toContain(`Rows 1 to ${shown} of 60.`);
    expect(nearest.content[1].text).toContain(`offset ${shown} for the next`);
    const two = await near({ limit: 2, offset: 3, fields: "device_id" });
    const listed = bodyIn(await near({ limit: 60, fields: "device_id" })).data;
    expect(listed).toHaveLength(60);
    expect(bodyIn(two).data).toEqual(listed.slice(3, 5));
    expect(two.content[1].text).toContain("Rows 4 to 5 of 60.");
    expect((await ask("list_latest_positions", { offset: 3 })).content[0].text).toContain(
      "offset: goes with near alone",
    );
    expect((await near({ limit: "many" })).content[0].text).toContain("limit: expected");
    const rest = await near({ offset: shown });
    expect(bodyIn(rest).data).toHaveLength(60 - shown);
    expect(rest.content[1].text).toContain(`Rows ${shown + 1} to 60 of 60.`);

    const at = (day: number) => new Date(day * 86_400_000).toISOString();
    const window = { from: at(20_541), to: at(20_601) };
    const days = await ask("report_mileage", window);
    expect([days.isError, tokens(days) <= 3_000]).toEqual([false, true]);
    // Its stream has ended, so it holds no place: there are twelve for a key.
    for (let time = 0; time < 15; time++) expect((await ask("report_mileage", window)).isError).toBe(false);
    const one = await ask("report_mileage", { ...window, device_id: device?.id, fields: "date,distance_km" });
    expect(bodyIn(one).data).toHaveLength(60);
    await api.close();
  });
});
