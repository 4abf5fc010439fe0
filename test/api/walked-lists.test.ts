import { expect, test } from "bun:test";
import fc from "fast-check";
import { partsInSight } from "../../src/api/lists/parts.ts";
import { countedAlerts } from "../../src/api/lists/searched-alerts.ts";
import { withTag } from "../../src/domain/visibility.ts";
import type { TimeKey } from "../../src/store/pages.ts";
import { onEachEngine } from "../support/engines.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { plain } from "../support/read-lists.ts";
import { rounds } from "../support/rounds.ts";
import { hourMs, noon } from "../support/seed-rows.ts";
import { seedWalkedFleet, type WalkedFleet, type WalkedRow } from "../support/walked-fleet.ts";
import { anyFilteredList, type FilteredList } from "../support/walked-lists.ts";

const seedNumber = announcedSeed("lists that are searched in parts");

/** The key of a row; those of trips and stops begin with their start. */
function keyOf(row: WalkedRow): TimeKey {
  return { at: "started_at" in row ? row.started_at : row.occurred_at, id: row.id };
}

function compare(one: TimeKey, other: TimeKey): number {
  return one.at - other.at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/** Worked out without a database. */
function expectedRows(
  fleet: WalkedFleet,
  list: FilteredList,
  isSeen: (deviceId: string) => boolean,
  tag: string | null,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): WalkedRow[] {
  return list.matching
    .filter(({ device_id }) => isSeen(device_id) && (tag === null || fleet.tagsOf.get(device_id)?.includes(tag)))
    .filter((row) => {
      const { at } = keyOf(row);
      const reachesIn = "started_at" in row && (row.ended_at === null || row.ended_at > fromMs);
      return at < toMs && (at >= fromMs || reachesIn);
    })
    .toSorted((one, other) => compare(keyOf(one), keyOf(other)));
}

/** Parts of some rows, so that every page has many borders. Most searches end in the middle, and go on device by device. */
const anyWalk = fc.record({
  rowsOfFirstPart: fc.integer({ min: 1, max: 60 }),
  rowsPerPart: fc.integer({ min: 60, max: 300 }),
  maxRows: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.constant(Number.POSITIVE_INFINITY)),
});

onEachEngine("lists that are searched in parts", (engine) => {
  const fleetOf = engine.shared(async ({ database }) => ({
    database,
    fleet: await seedWalkedFleet(database, randomNumbers(seedNumber)),
  }));

  test("give each viewer the rows that a search of each device gives, and no others", async () => {
    const { database, fleet } = fleetOf();
    // Otherwise no search would go beyond its first parts.
    for (const rows of Object.values(fleet.rows)) expect(rows.length).toBeGreaterThan(2_500);
    const hours = Math.floor((fleet.untilMs - noon) / hourMs);
    await fc.assert(
      fc.asyncProperty(
        anyFilteredList(fleet),
        fc.constantFrom(...fleet.viewers),
        fc.constantFrom(null, null, "cold", "rare", "no such"),
        fc.constantFrom(null, null, null, ...fleet.devices.slice(0, 2)),
        fc.oneof(fc.constant(-400), fc.integer({ min: -20, max: hours })),
        fc.oneof(fc.constant(2 * hours), fc.integer({ min: 1, max: hours })),
        fc.constantFrom(-1, 0, 1),
        fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constantFrom(40, 500)),
        // Where the page begins, as a share of the rows.
        fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1, noNaN: true })),
        anyWalk,
        async (list, { user, sees }, tag, device, start, length, beside, count, place, walk) => {
          const fromMs = noon + start * hourMs + beside;
          const window = { fromMs, toMs: fromMs + length * hourMs };
          const visibility = withTag(user.visibility, tag);
          const isSeen = (id: string) => sees.has(id) && (device === null || device.id === id);
          const rows = expectedRows(fleet, list, isSeen, tag, window);
          const first = place === null ? 0 : Math.floor(place * rows.length);
          const last = rows[first - 1];
          const page = { ...window, device: device?.device ?? null, count, after: last ? keyOf(last) : null };
          const expected = plain(rows.slice(first, first + count));
          expect(plain(await list.inParts(database, visibility, page))).toEqual(expected);
          expect(plain(await list.inParts(database, visibility, page, walk))).toEqual(expected);
          expect(plain(await list.atOnce(database, visibility, page))).toEqual(expected);
        },
      ),
      { numRuns: rounds(200, 4_000), seed: seedNumber },
    );
  });

  test("count the alerts that they would list", async () => {
    const { database, fleet } = fleetOf();
    const walkOf = async () => ({ rowsOfFirstPart: 50, rowsPerPart: 400, maxRows: Number.POSITIVE_INFINITY });
    const filters = { severity: null, alertType: null };
    const page = { device: null, fromMs: noon, toMs: fleet.untilMs, after: null, ...filters };
    for (const { user, sees } of fleet.viewers) {
      for (const acknowledged of [true, false]) {
        const expected = fleet.rows.alerts
          .filter(({ device_id, occurred_at }) => sees.has(device_id) && occurred_at >= noon && occurred_at < page.toMs)
          .filter(({ acknowledged_at }) => acknowledged === (acknowledged_at !== null));
        const wanted = { ...page, acknowledged, count: 10_000 };
        let found = 0;
        for await (const count of partsInSight(database, user.visibility, wanted, countedAlerts, walkOf))
          found += count;
        expect(found).toBe(expected.length);
      }
    }
  });
});
