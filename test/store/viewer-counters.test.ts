import { expect, test } from "bun:test";
import type { Visibility } from "../../src/domain/visibility.ts";
import { accountViewer, changeNumbers, countersOfViewers, viewerRevisions } from "../../src/store/changes/viewers.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";

const user = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

onEachEngine("the counters of many viewers", (engine) => {
  // An embedded store answers at once, and nobody shares.
  if (engine.name === "sqlite") return;

  test("are those of each, in the order in which they were asked for", async () => {
    const { database } = await engine.fresh();
    await database.transaction(async (tx) => {
      for (const [accountId, userId, revision] of [
        [1, accountViewer, 11],
        [1, user(1), 12],
        [2, accountViewer, 21],
      ] as const) {
        await tx.run(sql`
          insert into viewer_revisions (account_id, user_id, revision, devices_revision, changes, forgotten, trip_changes)
          values (${accountId}, ${userId}, ${revision}, ${revision + 1}, ${revision + 2}, 3, ${revision - 5})`);
      }
    });
    const owner = (accountId: number): Visibility => ({ sees: "account", accountId, userId: user(9) });
    const sub = (accountId: number, number: number): Visibility => ({
      sees: "assigned",
      accountId,
      userId: user(number),
    });
    // The same viewer twice, one without a row, one of an account without any.
    const viewers = [owner(2), sub(1, 1), owner(1), sub(1, 1), sub(1, 2), owner(3)];
    const together = await countersOfViewers(database, viewers);
    const each = await Promise.all(
      viewers.map(async (viewer) => ({
        ...(await viewerRevisions(database, viewer)),
        ...(await changeNumbers(database, viewer)),
      })),
    );
    expect([...together]).toEqual(each);
    expect(together[1]).toMatchObject({ livePositions: 12, devices: 13, last: 13, forgotten: 3 });
  });
});
