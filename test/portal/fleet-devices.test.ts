import { expect, test } from "bun:test";
import { saveTrackerFaults } from "../../src/store/fleet/tracker-faults.ts";
import { saveUnknownDevices } from "../../src/store/fleet/unknown-devices.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, sharedPortal } from "../support/portal.ts";

const imei = (number: number) => String(861_000_000_000_000 + number);

interface Record {
  readonly device_id: string;
  readonly revision: number;
  readonly tags: readonly string[];
}

async function listed(browser: Browser): Promise<Map<string, Record>> {
  const { status, body } = await browser.get("/fleet/devices");
  expect([status, body.next_after]).toEqual([200, null]);
  return new Map(body.data.map((record: Record) => [record.device_id, record]));
}

onEachEngine("the owner's vehicles", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  test("are listed with every field of their line, who sees them and when they reported last", async () => {
    const { signIn, devices, users } = given();
    const olga = await signIn("olga@acme.example");
    const all = await listed(olga);
    const { van, truck, car, trailer, spare } = devices;
    expect([...all.keys()]).toEqual([van, truck, car, trailer, spare].map(({ id }) => id).sort());
    expect(all.get(van.id)).toEqual({
      device_id: van.id,
      imei: van.imei,
      name: "Amber van",
      plate: "AC-ME 101",
      status: "active",
      vin: "W1V9076331P412073",
      vehicle_make: van.vehicle_make,
      vehicle_model: van.vehicle_model,
      vehicle_year: van.vehicle_year,
      vehicle_type: van.vehicle_type,
      tracker_model: van.tracker_model,
      tracker_clock: van.tracker_clock,
      tracker_id: null,
      tracker_protocol: null,
      fuel_tank_capacity_l: van.fuel_tank_capacity_l,
      tags: ["cold", "day shift"],
      external_ids: { sap: "10004711" },
      user_ids: [users.anna.id, users.dora.id].sort(),
      last_seen_at: expect.stringMatching(/^2026-06-15T/),
      revision: 1,
      managed_by: "file",
      is_made_here: false,
    } as never);
    expect(all.get(spare.id)).toMatchObject({ last_seen_at: null, tags: [], external_ids: {} });
  });

  test("share no IMEI with another account, and are neither shown to its people nor moved to it", async () => {
    const { signIn, devices, users } = given();
    const otto = await signIn("otto@polar.example");
    const { van } = devices;
    const taken = await otto.post("/fleet/devices", { fields: { imei: van.imei, name: "Mine" } });
    expect([taken.status, Object.keys(taken.body.error.fields)]).toEqual([400, ["imei"]]);
    const olga = await signIn("olga@acme.example");
    const foreign = { revision: 1, fields: { user_ids: [users.nils.id] } };
    const refused = await olga.change("PUT", `/fleet/devices/${van.id}`, foreign);
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["user_ids[0]"]]);
    const moved = { fields: { imei: imei(2), name: "Moved", account_id: given().accounts.polar.id } };
    const { body } = await olga.post("/fleet/devices", moved);
    expect((await listed(olga)).has(body.data.device_id)).toBe(true);
    expect((await listed(otto)).has(body.data.device_id)).toBe(false);
  });

  test("show what is wrong with their trackers, to those who see them; setting the clock ends it", async () => {
    const { store, signIn, get, devices, accounts } = given();
    const { van, car } = devices;
    const of = async (browser: Browser) => (await browser.get("/tracker-faults")).body.data;
    const row = (id: string) =>
      store.database.get<{ device: number; seenAt: number }>(sql`
        select d.device, p.last_seen_at as "seenAt" from devices d
        join latest_positions p on p.account_id = d.account_id and p.device = d.device
        where d.account_id = ${accounts.acme.account_id} and d.id = ${id}`);
    const [ofVan, ofCar] = [await row(van.id), await row(car.id)];
    if (ofVan === null || ofCar === null) throw new Error("both have reported");
    const accountId = accounts.acme.account_id;
    await saveTrackerFaults(store.database, [
      { accountId, ...ofVan, clockAheadS: 360 },
      { accountId, ...ofVan, clockAheadS: null },
      // What frames since then do not show is over.
      { accountId, ...ofCar, seenAt: ofCar.seenAt - 600_001, clockAheadS: 360 },
    ]);
    const fault = { device_id: van.id, clock_ahead_s: 360, right_clock: "+360s", shares_imei: true };
    const olga = await signIn("olga@acme.example");
    expect(await of(olga)).toEqual([fault]);
    expect(await of(await signIn("anna@acme.example"))).toEqual([fault]);
    expect(await of(await signIn("otto@polar.example"))).toEqual([]);
    const { revision } = (await listed(olga)).get(van.id) as Record;
    const set = (tracker_clock: string) =>
      olga.change("PUT", `/fleet/devices/${van.id}`, { revision, fields: { tracker_clock } });
    const refused = await set("6 minutes");
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["tracker_clock"]]);
    expect((await set("+360s")).body.data.tracker_clock).toBe("+360s");
    expect(await of(olga)).toEqual([]);
    expect((await get(`/devices/${van.id}`)).body.data.tracker_clock).toBe("+360s");
    const [entry] = (await olga.get("/fleet/log")).body.data;
    expect(JSON.stringify(entry)).toContain("tracker_clock");
  });

  test("say what their tracker calls itself, in the API, in files of it and to those who follow", async () => {
    const { signIn, get, devices } = given();
    const { trailer } = devices;
    const olga = await signIn("olga@acme.example");
    const { resume_after } = (await get("/changes?types=device", "olga")).body;
    const { revision } = (await listed(olga)).get(trailer.id) as Record;
    const fields = { tracker_id: "04201234567", tracker_protocol: "h02" };
    expect((await olga.change("PUT", `/fleet/devices/${trailer.id}`, { revision, fields })).body.data).toMatchObject(
      fields,
    );
    expect((await get(`/devices/${trailer.id}`, "olga")).body.data).toMatchObject(fields);
    const { data } = (await get(`/changes?types=device&after=${encodeURIComponent(resume_after)}`, "olga")).body;
    expect(JSON.stringify(data)).toContain('"tracker_id":"04201234567","tracker_protocol":"h02"');
    const { text } = await get("/devices?format=csv", "olga");
    const [head = "", ...rows] = text.split("\r\n");
    const row = rows.find((each) => each.includes(trailer.id))?.split(",") ?? [];
    expect(head.split(",").flatMap((name, index) => (name.startsWith("tracker_") ? [[name, row[index]]] : []))).toEqual(
      [
        ["tracker_model", expect.any(String)],
        ["tracker_clock", ""],
        ["tracker_id", "04201234567"],
        ["tracker_protocol", "h02"],
      ],
    );
    const [entry] = (await olga.get("/fleet/log")).body.data;
    for (const name of Object.keys(fields)) expect(JSON.stringify(entry)).toContain(name);
    expect(JSON.stringify(entry)).not.toContain("04201234567");
  });

  test("are added, and in the API within the same moment", async () => {
    const { signIn, get, users } = given();
    const olga = await signIn("olga@acme.example");
    const fields = { imei: imei(10), name: " Fir van ", tags: ["new"], user_ids: [users.anna.id], vehicle_year: 2024 };
    const preview = await olga.post("/fleet/devices?preview=true", { fields });
    expect([preview.status, preview.body.data.effect.assignments_begun]).toEqual([200, 1]);
    expect((await get(`/devices?imei=${imei(10)}`, "olga")).body.data ?? []).toEqual([]);
    const { status, body } = await olga.post("/fleet/devices", { fields });
    expect([status, body.data.name, body.data.managed_by, body.effect.sub_accounts]).toEqual([
      201,
      "Fir van",
      "portal",
      1,
    ]);
    expect(body.data.is_made_here).toBe(true);
    const seen = (await get("/devices", "anna")).body.data.map((device: { device_id: string }) => device.device_id);
    expect(seen).toContain(body.data.device_id);
    const again = await olga.post("/fleet/devices", { fields });
    expect([again.status, Object.keys(again.body.error.fields)]).toEqual([400, ["imei"]]);
    const wrong = await olga.post("/fleet/devices", { fields: { imei: "12", name: "", vehicle_year: 1, tags: [""] } });
    expect([wrong.status, Object.keys(wrong.body.error.fields).sort()]).toEqual([
      400,
      ["imei", "name", "tags[0]", "vehicle_year"],
    ]);
  });

  test("are changed field by field; an edit of an older one is refused, and nothing is lost", async () => {
    const { signIn, get } = given();
    const olga = await signIn("olga@acme.example");
    const added = await olga.post("/fleet/devices", { fields: { imei: imei(20), name: "Gum van", plate: "G 1" } });
    const path = `/fleet/devices/${added.body.data.device_id}`;
    const { revision } = added.body.data;
    const first = await olga.change("PUT", path, { revision, fields: { name: "Gum van 2" } });
    expect([first.status, first.body.data.plate, first.body.data.revision]).toEqual([200, "G 1", revision + 1]);
    const second = await olga.change("PUT", path, { revision, fields: { plate: "G 2" } });
    expect([second.status, second.body.error.code]).toEqual([409, "CONFLICT"]);
    expect(second.body.error.current).toMatchObject({ name: "Gum van 2", plate: "G 1" });
    expect(second.body.error.revision).toBe(revision + 1);
    // Another tracker: the vehicle stays the same.
    const tracker = { revision: revision + 1, fields: { imei: imei(21), plate: null } };
    const moved = await olga.change("PUT", path, tracker);
    expect([moved.status, moved.body.data.imei, moved.body.data.plate]).toEqual([200, imei(21), null]);
    const shown = await get(`/devices/${added.body.data.device_id}`, "olga");
    expect([shown.body.data.imei, shown.body.data.name]).toEqual([imei(21), "Gum van 2"]);
    expect((await olga.change("PUT", "/fleet/devices/nothing", tracker)).status).toBe(404);
  });

  test("are changed several at once: all of them or none", async () => {
    const { signIn, users } = given();
    const olga = await signIn("olga@acme.example");
    const ids: string[] = [];
    for (const number of [30, 31, 32]) {
      const fields = { imei: imei(number), name: `Hazel ${number}`, tags: number === 30 ? ["old", "both"] : ["both"] };
      ids.push((await olga.post("/fleet/devices", { fields })).body.data.device_id);
    }
    const seen = async () => {
      const all = await listed(olga);
      return ids.map((device_id) => ({ device_id, revision: all.get(device_id)?.revision ?? 0 }));
    };
    const before = await seen();
    const wanted = { add_tags: ["both", "fresh"], remove_tags: ["old"], add_user_ids: [users.ben.id] };
    const preview = await olga.post("/fleet/devices/change?preview=true", { devices: before, ...wanted });
    expect([preview.status, preview.body.data.changed, preview.body.data.effect.assignments_begun]).toEqual([
      200, 3, 3,
    ]);
    expect(await seen()).toEqual(before);
    const done = await olga.post("/fleet/devices/change", { devices: before, ...wanted });
    expect([done.status, done.body.data.changed, done.body.effect.assignments_begun]).toEqual([200, 3, 3]);
    const all = await listed(olga);
    expect(ids.map((id) => all.get(id)?.tags)).toEqual(Array(3).fill(["both", "fresh"]) as string[][]);

    // One of them has changed since: none is blocked.
    const [one] = await seen();
    await olga.change("PUT", `/fleet/devices/${one?.device_id}`, { revision: one?.revision, fields: { plate: "H" } });
    const [, ...others] = await seen();
    const stale = await olga.post("/fleet/devices/change", { devices: [one, ...others], status: "blocked" });
    expect(stale.status).toBe(409);
    for (const id of ids) expect((await listed(olga)).get(id)).toMatchObject({ status: "active" });

    // Those that are so already are left alone.
    const fresh = await seen();
    const blocked = await olga.post("/fleet/devices/change", { devices: fresh.slice(0, 2), status: "blocked" });
    expect(blocked.body.data.changed).toBe(2);
    const rest = await olga.post("/fleet/devices/change", { devices: await seen(), status: "blocked" });
    expect(rest.body.data.changed).toBe(1);
    const nothing = await olga.post("/fleet/devices/change", { devices: await seen(), status: "blocked" });
    expect([nothing.status, nothing.body.data.changed]).toEqual([200, 0]);
    const wrong = await olga.post("/fleet/devices/change", { devices: [], status: "gone", add_tags: [1] });
    expect([wrong.status, Object.keys(wrong.body.error.fields).sort()]).toEqual([
      400,
      ["add_tags", "devices", "status"],
    ]);
  });

  test("can be made of IMEIs that were refused lately, each account of its own", async () => {
    const { signIn, store, accounts } = given();
    const now = Date.now();
    const sighting = { firstSeenAt: now - 60_000, lastSeenAt: now - 1000, count: 7 };
    await store.database.transaction(async (tx) => {
      const seen = [imei(90), imei(91)].map((each) => ({ imei: each, protocol: null, ...sighting }));
      await saveUnknownDevices(tx, accounts.acme.account_id, seen);
    });
    const [olga, otto] = [await signIn("olga@acme.example"), await signIn("otto@polar.example")];
    const offered = async (browser: Browser) =>
      (await browser.get("/fleet/unknown-devices")).body.data.map((device: { imei: string }) => device.imei);
    expect(await offered(olga)).toEqual([imei(90), imei(91)]);
    expect(await offered(otto)).toEqual([]);
    const [first] = (await olga.get("/fleet/unknown-devices")).body.data;
    expect(first).toEqual({
      tracker_id: null,
      protocol: null,
      imei: imei(90),
      first_seen_at: new Date(sighting.firstSeenAt).toISOString(),
      last_seen_at: new Date(sighting.lastSeenAt).toISOString(),
      count: 7,
    });
    await olga.post("/fleet/devices", { fields: { imei: imei(90), name: "Found" } });
    expect(await offered(olga)).toEqual([imei(91)]);
  });

  test("are added from a spreadsheet, all rows or none, and what is wrong is named by line", async () => {
    const { signIn, devices } = given();
    const [olga, anna] = [await signIn("olga@acme.example"), await signIn("anna@acme.example")];
    const csv = [
      "Plate;IMEI;Name;Other",
      `I 1;${imei(40)};Ivy 1;x`,
      `I 2;'${imei(41)};"Ivy; 2"`,
      "",
      "I 3;12;Ivy 3",
      `I 4;${imei(40)};Ivy 4`,
      `I 5;${devices.ferry.imei};Ivy 5`,
      `I 6;${imei(42)};`,
      `I 7;${imei(44)};Ivy\u202e 7`,
    ];
    const before = await listed(olga);
    const preview = await olga.post("/fleet/devices/import?preview=true", { csv: csv.join("\r\n") });
    expect([preview.status, preview.body.data.rows, preview.body.data.refused]).toEqual([200, 2, 5]);
    expect(preview.body.data.problems).toEqual([
      { line: 5, problem: "imei" },
      { line: 6, problem: "twice" },
      { line: 7, problem: "taken" },
      { line: 8, problem: "name" },
      { line: 9, problem: "name" },
    ]);
    expect(preview.body.data.ignored).toEqual(["Other"]);
    expect(preview.body.data.columns).toEqual(["plate", "imei", "name"]);
    expect(preview.body.data.first.map(({ plate }: { plate: string }) => plate)).toEqual(["I 1", "I 2"]);
    expect((await olga.post("/fleet/devices/import", { csv: csv.join("\n") })).status).toBe(400);
    expect((await olga.post("/fleet/devices/import", { csv: "" })).status).toBe(400);
    expect((await anna.post("/fleet/devices/import", { csv: csv[1] })).status).toBe(403);
    expect((await listed(olga)).size).toBe(before.size);
    const done = await olga.post("/fleet/devices/import", { csv: csv.slice(0, 4).join("\n") });
    expect([done.status, done.body.data.added]).toEqual([201, 2]);
    // Without a header: IMEI, name, plate.
    const plain = await olga.post("/fleet/devices/import", { csv: `${imei(43)}\tIvy 7\tI 7` });
    expect(plain.body.data.added).toBe(1);
    const names = [...(await listed(olga)).values()].map((record) => (record as unknown as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(["Ivy 1", "Ivy; 2", "Ivy 7"]));
  });

  test("are added with every column that a device has, and what is not read is named", async () => {
    const { signIn } = given();
    const olga = await signIn("olga@acme.example");
    const head = "IMEI;Name;Tags;VIN;Make;Model;Year;Type;Tank (l);Tracker model;External id ERP;Colour;Remarks";
    const cells = `${imei(60)};Juno 1;north, cold;W1V90763;Mercedes-Benz;Sprinter;2021;van;71,5;FMB120;4711;red;`;
    const read = await olga.post("/fleet/devices/import?preview=true", { csv: `${head}\n${cells}` });
    expect([read.status, read.body.data.ignored]).toEqual([200, ["Colour", "Remarks"]]);
    expect(read.body.data.first).toHaveLength(1);
    const wrong = cells.replace("2021", "21").replace(imei(60), imei(61));
    const refused = await olga.post("/fleet/devices/import?preview=true", { csv: `${head}\n${cells}\n${wrong}` });
    expect(refused.body.data.problems).toEqual([{ line: 3, problem: "vehicle_year" }]);
    expect((await olga.post("/fleet/devices/import", { csv: `${head}\n${cells}` })).status).toBe(201);
    const [juno] = [...(await listed(olga)).values()].filter((each) => "name" in each && each.name === "Juno 1");
    expect(juno).toMatchObject({
      tags: ["north", "cold"],
      vin: "W1V90763",
      vehicle_make: "Mercedes-Benz",
      vehicle_model: "Sprinter",
      vehicle_year: 2021,
      vehicle_type: "van",
      fuel_tank_capacity_l: 71.5,
      tracker_model: "FMB120",
      external_ids: { ERP: "4711" },
    });
    // Without a header, cells beyond the plate have no name.
    const plain = await olga.post("/fleet/devices/import?preview=true", { csv: `${imei(62)};Juno 2;J 2;north` });
    expect(plain.body.data.ignored).toEqual(["4"]);
  });
});
