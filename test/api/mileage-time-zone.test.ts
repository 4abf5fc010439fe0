import { expect, test } from "bun:test";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Database } from "../../src/store/database.ts";
import { keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { home, loadIngestFleet, truckImei, vanImei } from "../support/ingest-fleet.ts";
import { newWriter, take } from "../support/ingest-node.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

const dayNumber = (date: string) => Date.parse(date) / dayMs;

interface Shown {
  readonly imei: string;
  readonly date: string;
  readonly time_zone: string;
  readonly distance_km: number;
}

/** An account with a device that has a row for each of these days, and its report. */
async function reportOf(
  database: Database,
  zones: { readonly time_zone: string; readonly earlier_time_zones?: string },
  days: readonly { readonly date: string; readonly time_zone: string }[],
) {
  const seed = new Seed();
  const account = seed.account(zones);
  const owner = seed.user(account, { role: "owner" });
  const device = seed.device(account);
  for (const { date, time_zone } of days) seed.mileage(device, { day: dayNumber(date), time_zone });
  await seed.save(database);
  const { get, close } = await startApi(database);
  const key = await keyOf(database, owner.email, { perSecond: 1_000 });
  const ask = (query: string) => get(`/reports/mileage?${query}`, key);
  return {
    close,
    ask,
    dates: async (query: string) => ((await ask(query)).body.data as Shown[]).map(({ date }) => date),
    window: async (query: string) => {
      const { headers } = await ask(query);
      return [headers.get("X-Window-From"), headers.get("X-Window-To"), headers.get("X-Window-Clamped")];
    },
  };
}

function each(first: string, last: string, time_zone: string) {
  const days = [];
  for (let day = dayNumber(first); day <= dayNumber(last); day++) {
    days.push({ date: new Date(day * dayMs).toISOString().slice(0, 10), time_zone });
  }
  return days;
}

onEachEngine("the mileage report of an account with a time zone", (engine) => {
  test("takes a date for midnight of that zone, and a time as it is", async () => {
    const { database } = await engine.fresh();
    const march = each("2026-03-27", "2026-03-31", "Europe/Berlin");
    const { dates, window, close } = await reportOf(database, { time_zone: "Europe/Berlin" }, march);
    expect(await dates("from=2026-03-28&to=2026-03-30")).toEqual(["2026-03-28", "2026-03-29"]);
    expect(await window("from=2026-03-28&to=2026-03-30")).toEqual([
      "2026-03-27T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
      null,
    ]);
    // In winter the day begins at 23:00 UTC, in summer at 22:00.
    expect(await dates("from=2026-03-27T22:59:59.999Z&to=2026-03-27T23:00:00.001Z")).toEqual([
      "2026-03-27",
      "2026-03-28",
    ]);
    expect(await dates("from=2026-03-27T23:00Z&to=2026-03-28T23:00Z")).toEqual(["2026-03-28"]);
    expect(await dates("from=2026-03-29T22:00Z&to=2026-03-30T22:00Z")).toEqual(["2026-03-30"]);
    // A time without an offset is UTC, as everywhere.
    expect(await window("from=2026-03-28T00:00&to=2026-03-29")).toEqual([
      "2026-03-28T00:00:00.000Z",
      "2026-03-28T23:00:00.000Z",
      null,
    ]);
    await close();
  });

  test("goes back by days, not by hours, from a date", async () => {
    const { database } = await engine.fresh();
    const zone = "Europe/Berlin";
    const days = [...each("2026-03-27", "2026-03-31", zone), ...each("2025-10-25", "2025-10-27", zone)];
    const { dates, window, close } = await reportOf(database, { time_zone: zone }, days);
    // The 29th has 23 hours: 24 hours before its end was the 28th.
    expect(await dates("to=2026-03-30")).toEqual(["2026-03-29"]);
    expect(await dates("to=2026-03-29T22:00:00Z")).toEqual(["2026-03-28", "2026-03-29"]);
    // 366 days, of which one has 25 hours and none 23.
    expect(await window("from=2025-10-26&to=2026-10-27")).toEqual([
      "2025-10-25T22:00:00.000Z",
      "2026-10-26T23:00:00.000Z",
      null,
    ]);
    expect(await window("from=2025-10-25&to=2026-10-27")).toEqual([
      "2025-10-25T22:00:00.000Z",
      "2026-10-26T23:00:00.000Z",
      "true",
    ]);
    expect(await dates("from=2025-10-25&to=2026-10-27")).toEqual([
      "2025-10-26",
      "2025-10-27",
      ...each("2026-03-27", "2026-03-31", zone).map(({ date }) => date),
    ]);
    await close();
  });

  test("refuses a window that is empty in that zone, with all that is wrong", async () => {
    const { database } = await engine.fresh();
    const { ask, close } = await reportOf(database, { time_zone: "Asia/Tokyo" }, []);
    const message = async (query: string) => {
      const { status, body } = await ask(query);
      return [status, body.error?.message];
    };
    const expected = "from: expected a time earlier than `to`";
    expect(await message("from=2026-03-28&to=2026-03-28")).toEqual([400, expected]);
    expect(await message("from=2026-03-29&to=2026-03-28&device_id=x")).toEqual([
      400,
      `device_id: expected a UUID, got "x"; ${expected}`,
    ]);
    // The 28th begins at 15:00 UTC of the 27th.
    expect(await message("from=2026-03-27T15:00:00Z&to=2026-03-28")).toEqual([400, expected]);
    expect((await ask("from=2026-03-27T14:59:59Z&to=2026-03-28")).status).toBe(200);
    expect(await message("from=2999-01-01")).toEqual([400, `${expected}, which is now unless named`]);
    expect(await message("from=2026-03-32")).toEqual([
      400,
      'from: expected an ISO 8601 time such as 2026-05-01T08:00:00Z or 2026-05-01, got "2026-03-32"',
    ]);
    // It begins before the first moment that can be written.
    expect((await ask("from=0000-01-01&to=0000-01-02")).headers.get("X-Window-From")).toBe("0000-01-01T00:00:00.000Z");
    expect((await ask("from=9999-12-30&to=9999-12-31")).headers.get("X-Window-To")).toBe("9999-12-30T15:00:00.000Z");
    await close();
  });

  test("shows days of a zone that the account had before if they overlap the window in that zone", async () => {
    const { database } = await engine.fresh();
    const zones = { time_zone: "Asia/Tokyo", earlier_time_zones: "UTC America/New_York" };
    const { dates, close } = await reportOf(database, zones, [
      { date: "2026-03-01", time_zone: "America/New_York" },
      { date: "2026-03-02", time_zone: "UTC" },
      ...each("2026-03-03", "2026-03-05", "Asia/Tokyo"),
    ]);
    // From 15:00 UTC of the 1st to 15:00 UTC of the 2nd: the day in New York lasts until 05:00 UTC.
    expect(await dates("from=2026-03-02&to=2026-03-03")).toEqual(["2026-03-01", "2026-03-02"]);
    expect(await dates("from=2026-03-02T05:00Z&to=2026-03-02T06:00Z")).toEqual(["2026-03-02"]);
    expect(await dates("from=2026-03-04&to=2026-03-05")).toEqual(["2026-03-04"]);
    expect(await dates("from=2026-03-01&to=2026-03-06")).toHaveLength(5);
    await close();
  });

  test("is the same for a sub-account, and of the new zone when the account gets another", async () => {
    const { database } = await engine.fresh();
    await loadIngestFleet(database);
    const { acme, ann, bob, olga } = smallFleet;
    // From 22:00 to 02:00 UTC.
    const begun = { from: home, beginAt: Date.parse("2026-02-10T22:00:00Z"), minutes: 240, kmh: 50 };
    await take(database, [straightDrive({ ...begun, imei: vanImei }), straightDrive({ ...begun, imei: truckImei })]);
    const { get, close } = await startApi(database);
    const report = async (email: string) => {
      const { body } = await get("/reports/mileage?from=2026-02-09&to=2026-02-13", await keyOf(database, email));
      return body.data as Shown[];
    };
    const seen = (rows: readonly Shown[]) => rows.map(({ imei, date, time_zone }) => [imei, date, time_zone]);
    const both = (imei: string, zone: string) => [
      [imei, "2026-02-10", zone],
      [imei, "2026-02-11", zone],
    ];
    expect(seen(await report(ann.email as string))).toEqual([...both(vanImei, "UTC"), ...both(truckImei, "UTC")]);

    await load(database, [{ ...acme, time_zone: "Europe/Athens" }], noon);
    await newWriter(database).schedule.deriveLeft();
    // There it is midnight when the drive begins.
    const inAthens = await report(ann.email as string);
    expect(seen(inAthens)).toEqual([
      [vanImei, "2026-02-11", "Europe/Athens"],
      [truckImei, "2026-02-11", "Europe/Athens"],
    ]);
    expect(inAthens[0]?.distance_km).toBeCloseTo(200, 0);
    expect(await report(olga.email as string)).toEqual(inAthens);
    expect(await report(bob.email as string)).toEqual(inAthens.slice(1));

    await load(database, [{ ...acme, time_zone: "America/Sao_Paulo" }], noon + 1);
    await newWriter(database).schedule.deriveLeft();
    expect(seen(await report(bob.email as string))).toEqual([[truckImei, "2026-02-10", "America/Sao_Paulo"]]);
    await close();
  });
});
