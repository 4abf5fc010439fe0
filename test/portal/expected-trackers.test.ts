import { expect, test } from "bun:test";
import { UnknownDevices } from "../../src/intake/unknown-devices.ts";
import { expectTracker } from "../../src/store/fleet/expected-trackers.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, sharedPortal } from "../support/portal.ts";

const phone = "013812345678";
const imei = "861000000000777";

onEachEngine("trackers that an owner expects", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  const list = async (browser: Browser) => (await browser.get("/fleet/expected-trackers")).body.data;

  test("are entered, seen to call by their owner alone, added as a vehicle, and removed", async () => {
    const { signIn, store } = given();
    const [olga, otto] = [await signIn("olga@acme.example"), await signIn("otto@polar.example")];
    const entered = await olga.post("/fleet/expected-trackers", { tracker: ` ${phone} ` });
    expect(entered.status).toBe(201);
    const expected = {
      expected_id: entered.body.data.expected_id,
      tracker: phone,
      entered_at: expect.any(String),
      called_at: null,
      last_protocol: null,
      count: 0,
      device_id: null,
    };
    expect(entered.body.data).toEqual(expected);
    // As labels print it.
    const printed = await olga.post("/fleet/expected-trackers", { tracker: "86 100000-000077 7" });
    expect(printed.body.data.tracker).toBe(imei);
    expect(await list(olga)).toHaveLength(2);
    expect(await list(otto)).toEqual([]);
    const unknown = new UnknownDevices(store.database);
    const now = Date.now();
    for (const name of [phone, imei, "4200000000"]) unknown.noteTracker(name, "jt808", now);
    await unknown.save(now);
    const at = new Date(now).toISOString();
    const called = { ...expected, called_at: at, last_protocol: "jt808", count: 1 };
    expect(await list(olga)).toContainEqual(called);
    const offered = async (browser: Browser) => (await browser.get("/fleet/unknown-devices")).body.data;
    const seen = { protocol: "jt808", first_seen_at: at, last_seen_at: at, count: 1 };
    expect(await offered(olga)).toEqual([
      { imei: null, tracker_id: phone, ...seen },
      { imei, tracker_id: null, ...seen },
    ]);
    expect(await offered(otto)).toEqual([]);
    const fields = { imei: "861000000000778", name: "New", tracker_id: phone, tracker_protocol: "jt808" };
    const added = await olga.post("/fleet/devices", { fields });
    expect([added.body.data.tracker_id, added.body.data.tracker_protocol]).toEqual([phone, "jt808"]);
    expect(await list(olga)).toContainEqual({ ...called, device_id: added.body.data.device_id });
    expect((await offered(olga)).map((each: { imei: string }) => each.imei)).toEqual([imei]);
    // Who enters another account's tracker does not learn that it is one.
    const guessed = await otto.post("/fleet/expected-trackers", { tracker: "13812345678" });
    expect([guessed.status, guessed.body.data.device_id, guessed.body.data.called_at]).toEqual([201, null, null]);
    expect((await otto.change("DELETE", `/fleet/expected-trackers/${expected.expected_id}`, {})).status).toBe(404);
    expect((await olga.change("DELETE", `/fleet/expected-trackers/${expected.expected_id}`, {})).status).toBe(200);
    // What the account saw call before counts.
    const [seenBefore] = (await list(olga)).map(({ expected_id }: { expected_id: string }) => expected_id);
    expect((await olga.change("DELETE", `/fleet/expected-trackers/${seenBefore}`, {})).status).toBe(200);
    const again = await olga.post("/fleet/expected-trackers", { tracker: imei });
    expect(again.body.data).toMatchObject({ tracker: imei, called_at: at, last_protocol: "jt808", count: 1 });
    expect((await otto.post("/fleet/expected-trackers", { tracker: imei })).body.data.called_at).toBe(null);
    expect((await list(olga)).map(({ tracker }: { tracker: string }) => tracker)).toEqual([imei]);
  });

  test("have a name that a tracker can have, and are at most a hundred", async () => {
    const { signIn, store, accounts } = given();
    const otto = await signIn("otto@polar.example");
    for (const tracker of ["", "a b", "é", "x".repeat(65), 5, undefined]) {
      const refused = await otto.post("/fleet/expected-trackers", { tracker });
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["tracker"]]);
    }
    const before = (await list(otto)).length;
    const { account_id } = accounts.polar;
    const enter = (name: string) => store.database.transaction((tx) => expectTracker(tx, account_id, name, Date.now()));
    // However many are entered at once.
    const enterAll = async (names: readonly string[]) =>
      (await Promise.all(names.map(enter))).filter((entered) => entered !== null).length;
    expect(await enterAll(Array.from({ length: 99 - before }, (_, number) => `many-${number}`))).toBe(99 - before);
    expect(await enterAll(["a", "b", "c", "d", "e"])).toBe(1);
    expect((await otto.post("/fleet/expected-trackers", { tracker: "one-more" })).status).toBe(409);
    expect((await otto.post("/fleet/expected-trackers", { tracker: "MANY-50" })).status).toBe(201);
    expect(await list(otto)).toHaveLength(100);
  });

  test("and those of vehicles are taken in no other account, as an id or as an IMEI, nor twice in a spreadsheet", async () => {
    const { signIn, devices } = given();
    const [olga, otto] = [await signIn("olga@acme.example"), await signIn("otto@polar.example")];
    // As many as an account may have, from the test before.
    for (const { expected_id } of (await list(otto)).slice(0, 5)) {
      await otto.change("DELETE", `/fleet/expected-trackers/${expected_id}`, {});
    }
    const id = "4207777777";
    const fields = { imei: "861000000000801", name: "Taken", tracker_id: id };
    expect((await olga.post("/fleet/devices", { fields })).status).toBe(201);
    const wanted = { imei: "861000000000802", name: "Mine" };
    for (const tracker_id of [id, `00${id}`, devices.van.imei]) {
      const refused = await otto.post("/fleet/devices", { fields: { ...wanted, tracker_id } });
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["tracker_id"]]);
      expect(refused.text).not.toContain("Taken");
    }
    const short = "86100000000080";
    expect((await olga.post("/fleet/devices", { fields: { imei: short, name: "Short" } })).status).toBe(201);
    const { device_id, revision } = (await otto.post("/fleet/devices", { fields: wanted })).body.data;
    for (const imei of [`0${short}`, `00${short}`]) {
      const added = await otto.post("/fleet/devices", { fields: { imei, name: "Mine" } });
      const changed = await otto.change("PUT", `/fleet/devices/${device_id}`, { revision, fields: { imei } });
      for (const { status, body, text } of [added, changed]) {
        expect([status, Object.keys(body.error.fields)]).toEqual([400, ["imei"]]);
        expect(text).toContain("leading zeros make no difference");
        expect(text).not.toContain("Short");
      }
      const csv = `${imei};Mine`;
      const read = await otto.post("/fleet/devices/import?preview=true", { csv });
      expect(read.body.data.problems).toEqual([{ line: 1, problem: "taken" }]);
      // Who expects it learns nothing: neither that another has it, nor that it called.
      const expected = await otto.post("/fleet/expected-trackers", { tracker: imei });
      expect([expected.status, expected.body.data]).toMatchObject([201, { called_at: null, device_id: null }]);
    }
    const twice = await otto.post("/fleet/devices/import?preview=true", { csv: "12345678901234;A\n012345678901234;B" });
    expect(twice.body.data.problems).toEqual([{ line: 2, problem: "twice" }]);
    const csv = [
      "Name;IMEI;Tracker ID;Protocol",
      `A;861000000000811;${id};h02`,
      "B;861000000000812;4208888888;H02",
      "C;861000000000813;04208888888;",
      "D;861000000000814;861000000000812;",
      "E;861000000000815;a b;",
      "F;861000000000816;;morse",
      "G;861000000000817;;",
    ];
    const read = await otto.post("/fleet/devices/import?preview=true", { csv: csv.join("\n") });
    expect(read.body.data.problems).toEqual([
      { line: 2, problem: "tracker_id_taken" },
      { line: 4, problem: "tracker_id_twice" },
      { line: 5, problem: "tracker_id_twice" },
      { line: 6, problem: "tracker_id" },
      { line: 7, problem: "tracker_protocol" },
    ]);
    const right = [csv[0], csv[2], csv[7]].join("\n");
    expect((await otto.post("/fleet/devices/import", { csv: right })).body.data.added).toBe(2);
    const all = (await otto.get("/fleet/devices")).body.data as { name: string; tracker_id: string }[];
    expect(all.find(({ name }) => name === "B")).toMatchObject({ tracker_id: "4208888888", tracker_protocol: "h02" });
    expect(all.find(({ name }) => name === "G")).toMatchObject({ tracker_id: null, tracker_protocol: null });
  });
});
