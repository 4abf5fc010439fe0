import { expect, test } from "bun:test";
import { sql } from "../../../src/store/sql.ts";
import { onEachEngine } from "../../support/engines.ts";
import { arrivals } from "../../support/ingest-arrival.ts";
import { randomFleet } from "../../support/ingest-fleet.ts";
import { announcedSeed } from "../../support/ingest-seed.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { annId, notifiedFleet, olgaId } from "../../support/notified-fleet.ts";
import { until } from "../../support/patience.ts";
import { randomNumbers } from "../../support/random-drive.ts";

const hourMs = 3_600_000;
const seed = announcedSeed("who hears of what");
const ways = ["in order, in random batches", "a tenth of them late by days", "in random order"] as const;

onEachEngine("who hears of what", (engine) => {
  test.each(ways)("each alert that there is in the end was mailed once to each who sees it: %s", async (way) => {
    const { choose, store, node, clock, database } = await notifiedFleet(engine);
    const server = await startMailServer();
    await choose(olgaId, { pacing: "quarter_hour", since: 0 });
    await choose(annId, { pacing: "hour", since: 0 });
    const frames = randomFleet(seed, 150, clock.now - 48 * hourMs);
    const random = randomNumbers(seed);
    let notifying = node(server.port);
    for (const [index, batch] of (arrivals[way]?.(frames, random) ?? []).entries()) {
      await store(batch);
      if (index % 5 !== 4) continue;
      // Some mails go out in between, and the node is another one then.
      clock.now += 20 * 60_000;
      await notifying.settled();
      await notifying.stop();
      notifying = node(server.port);
    }
    const waiting = async () =>
      (
        await database.get<{ count: number }>(sql`select
          (select count(*) from notification_items where mail_id is null)
          + (select count(*) from notification_mails where state = 'waiting') as count`)
      )?.count ?? 0;
    await notifying.settled();
    await until(async () => {
      clock.now += hourMs;
      await notifying.settled();
      return (await waiting()) === 0;
    });
    await notifying.stop();
    await server.close();
    const there = await database.all<{ id: string; imei: string }>(sql`
      select a.id, d.imei from alerts a join devices d on d.account_id = a.account_id and d.device = a.device
      where not a.withdrawn`);
    const mailed = await database.all<{ user_id: string; alert_id: string }>(sql`
      select i.user_id, i.alert_id from notification_items i
      join notification_mails m on m.account_id = i.account_id and m.id = i.mail_id
      where m.state = 'sent' and i.event = 'began'`);
    const idsOf = (userId: string) => mailed.filter((one) => one.user_id === userId).map((one) => one.alert_id);
    const ids = new Set(there.map(({ id }) => id));
    expect(there.length).toBeGreaterThan(3);
    for (const [userId, isSeen] of [
      [olgaId, () => true],
      [annId, (imei: string) => imei !== frames.at(-1)?.imei],
    ] as const) {
      const expected = there.filter(({ imei }) => isSeen(imei)).map(({ id }) => id);
      // What late frames withdrew after it was mailed cannot be taken back.
      expect(
        idsOf(userId)
          .filter((id) => ids.has(id))
          .sort(),
      ).toEqual(expected.sort());
    }
    const counted = server.received.map(({ to }) => to[0]);
    const mails = await database.all<{ email: string }>(sql`
      select u.email from notification_mails m join users u on u.id = m.user_id where m.state = 'sent'`);
    expect(counted.sort()).toEqual(mails.map(({ email }) => email).sort());
  });
});
