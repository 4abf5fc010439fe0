import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet } from "../support/fleet.ts";
import { fences, home, loadIngestFleet, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { startOdograph } from "../support/program.ts";
import { Track } from "../support/track.ts";
import { complaint, output } from "./outcome.ts";

const morning = Date.UTC(2026, 2, 17, 8);
const dayMinutes = 24 * 60;

/** A day for each way in which a trip can end, then one with an odometer that falls. */
function week(): Track {
  const track = new Track(vanImei, morning, home);
  track.fields = { ignition: false };
  track.stand(10, 60);
  track.fields = { ignition: true };
  track.drive(10, 36).stand(5).send(5, { fix: false, latitude: null, longitude: null }).drive(5, 36);
  track.fields = { ignition: false };
  track.stand(5);
  track.fields = {};
  track.unseen(dayMinutes, 0).stand(5).drive(10, -54, 30).stand(5, 60);
  track.unseen(dayMinutes, 0).stand(5).drive(10, 54, 30).unseen(10, 400).stand(2);
  track.unseen(dayMinutes, 0).stand(5).drive(10, 54, 30).unseen(6, 6000).drive(10, 54).unseen(120, 30_000).drive(4, 54);
  track.unseen(dayMinutes, 0).stand(5).drive(10, 54).unseen(1, 90_000).drive(5, 54);
  track.unseen(dayMinutes, 0).stand(5);
  track.fields = { odometer_km: 100 };
  track.drive(5, 54);
  track.fields = { odometer_km: 90 };
  return track.drive(5, 54).stand(5);
}

async function idsOf(database: Database, reason: string): Promise<string[]> {
  const rows = await database.all<{ id: string }>(sql`
    select id from trips where end_reason = ${reason} order by started_at`);
  return rows.map(({ id }) => id);
}

onEachEngine("odograph explain", (engine) => {
  const shared = engine.shared(async (store) => {
    await loadIngestFleet(store.database);
    await take(store.database, [week().frames]);
    return store;
  });

  test("says what started a trip, what ended it and what was not counted", async () => {
    const store = shared();
    const [id = ""] = await idsOf(store.database, "ignition_off");
    const text = await output(["explain", id], store);
    // How far it is by the rules of the distance, other tests say.
    expect(text.replaceAll(/\d\.\d{3} km/g, "N km")).toBe(
      [
        `Device ${vanImei}`,
        "The row",
        "  Trip from 2026-03-17 08:10:00Z at 52.50000, 13.40000, ended 2026-03-17 08:30:35Z (ignition_off): N km.",
        "Start",
        "  2026-03-17 08:10:00Z at 52.50000, 13.40000.",
        "  Then it was last at its stop.",
        "  At 08:10:10Z it was 100 m from its stop at 36 km/h: it had left.",
        "End",
        "  2026-03-17 08:30:35Z at 52.50000, 13.53296 (ignition_off).",
        "  The ignition went off, and did not come on again at once.",
        "Distance",
        "  N km; straight from each position to the next it would be 9.00 km.",
        "  N km on legs so long that a road may turn on them: straight they are N km, by the speeds at their ends N km.",
        "Gaps",
        "  While it drives, the tracker reports every 10 s. More than 300 s without a position is a gap.",
        "  There was none.",
        "Not counted",
        "  It stood from 08:20:30Z to 08:25:00Z: 270 s.",
        "  1 frame (08:25:05Z) not believed: no position (no_fix).",
        "",
      ].join("\n"),
    );
  });

  test("names each reason for which a trip ends, and how another starts", async () => {
    const store = shared();
    const [stationary = ""] = await idsOf(store.database, "stationary");
    expect(await output(["explain", stationary], store)).toContain(
      "it stood within 50 m for 180 s: the trip ended when",
    );
    const [slow = "", silent = "", unseen = "", carried = ""] = await idsOf(store.database, "gap");
    expect(await output(["explain", slow], store)).toContain(
      "The next position came 11 min later, 400 m away. That is 2 km/h on average: it stood for most of the time.",
    );
    const bridged = await output(["explain", silent], store);
    expect(bridged).toContain("120 min later, 30.1 km away. After a silence of over 60 min a trip is over.");
    expect(bridged).toMatch(/Gap from \S+ to \S+: 370 s, 6\.15 km\./);
    expect(await output(["explain", unseen], store)).toContain(
      "Nobody knows when it left: the trip starts where it is",
    );
    expect(await output(["explain", carried], store)).toContain("It had been carried there.");
    const [discontinuity = ""] = await idsOf(store.database, "discontinuity");
    expect(await output(["explain", discontinuity], store)).toContain(
      "70 s later it was 90.1 km away, which it cannot have driven: it was carried there. That is 0 km.",
    );
  });

  test("says between which frames a fence was crossed, and what confirmed it", async () => {
    const store = shared();
    const events = await store.database.all<{ id: string }>(sql`
      select id from geofence_events where geofence_id = ${fences.town.id} order by occurred_at`);
    const [left = "", entered = ""] = events.map(({ id }) => id);
    const exit = await output(["explain", left], store);
    expect(exit).toContain("it left Town.");
    expect(exit).toContain("at 08:13:20Z it was 0 m inside, and at 08:13:30Z it was 100 m outside.");
    expect(exit).toContain("It counts as outside only 25 m beyond the edge: at 08:13:30Z it was 100 m outside.");
    expect(exit).toContain("When it came in was not seen.");
    const enter = await output(["explain", entered], store);
    expect(enter).toMatch(/it entered Town\.\n.* it was 250 m outside, and at \S+ it was 200 m inside\./);
    expect(enter).toMatch(/A later frame agrees: at \S+ it was 650 m inside\./);
  });

  test("says what a day adds up from, and why its odometer is not used", async () => {
    const store = shared();
    const text = await output(["explain", vanImei, "--date", "2026-03-20"], store);
    expect(text).toContain("Mileage of 2026-03-20: 57.600 km (gps), 2 trips");
    expect(text).toMatch(/Trips\n {2}\S+ to \S+: 24\.000 km\.\n {2}\S+ to \S+: 3\.450 km\.\nOutside trips\n/);
    expect(text).toContain(": 30.150 km, driven unseen before a trip, straight to where it was seen again.");
    expect(text).toContain("57.600 km by the positions, the sum of the above, 30.150 km of it unseen.");
    expect(text).toContain("No odometer was reported.");
    const odometer = await output(["explain", smallFleet.van.id, "--date", "2026-03-22"], store);
    expect(odometer).toMatch(
      /not used:\n {2}At 2026-03-22 \S+ it fell by 10\.000 km, from 100\.000 km to 90\.000 km\./,
    );
    const json = JSON.parse(await output(["explain", vanImei, "--date", "2026-03-20", "--json"], store));
    expect(json).toMatchObject({ kind: "day", imei: vanImei, notes: [], as_stored: true });
    expect(json.parts.map(({ kind }: { kind: string }) => kind)).toEqual(["trip", "unseen", "trip"]);
  });

  test("complains of what it does not know in one line", async () => {
    const store = shared();
    const { id } = smallFleet.olga;
    expect(await complaint(["explain", id], 1, store)).toBe(`there is no trip or crossing with the id ${id}`);
    expect(await complaint(["explain", id, "--date", "2026-03-17"], 1, store)).toBe(
      `there is no device with the id ${id}`,
    );
    const none = ["explain", vanImei, "--date", "2025-01-01"];
    expect(await complaint(none, 1, store)).toBe(`${vanImei} has no mileage on 2025-01-01`);
    expect(await complaint(["explain", "111111111111111", "--date", "2026-03-17"], 1, store)).toContain(
      "no device with",
    );
    expect(await complaint(["explain", vanImei], 2, store)).toBe("--date is missing: an IMEI has many days");
    expect(await complaint(["explain", "van"], 2, store)).toBe('ID: expected a UUID or an IMEI, got "van"');
    for (const date of ["2026-02-30", "2026-03-17T00:00:00Z"]) {
      expect(await complaint(["explain", vanImei, "--date", date], 2, store)).toContain("expected a date such as");
    }
  });

  test("runs beside a server", async () => {
    const store = shared();
    const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0"], store);
    try {
      expect(await output(["explain", vanImei, "--date", "2026-03-18"], store)).toContain("1 trip,");
    } finally {
      await server.stop();
    }
  });
});
