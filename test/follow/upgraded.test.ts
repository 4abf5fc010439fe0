import { expect, test } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { keyOf, startApi } from "../support/api.ts";
import { assignDevices } from "../support/assign-devices.ts";
import { asEarlierRules } from "../support/earlier-rules.ts";
import { onEachEngine } from "../support/engines.ts";
import { newWriter } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { fixtureVersions, placeFixture } from "../support/store-fixture.ts";
import { Follower } from "./follower.ts";
import { changeTypes } from "./lists.ts";
import { Sight } from "./sight.ts";

interface User {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly accountId: number;
}

const seed = announcedSeed("a followed upgrade");
const dayMs = 86_400_000;

/** All that anybody sees, at most 31 days before the last frame. */
async function windowsOf(database: Database) {
  const row = await database.get<{ last: number }>(sql`select max(recorded_at) as last from latest_positions`);
  const last = row?.last ?? 0;
  const window = (from: number, to: number) => `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  return { main: window(last - 25 * dayMs, last + 5 * dayMs), rolledOver: window(0, dayMs) };
}

onEachEngine("a store of an earlier version", (engine) => {
  for (const version of fixtureVersions) {
    test(`${version}: is followed from its first moment on, by those who see all and by those who do not`, async () => {
      const store = await engine.empty();
      await placeFixture(version, engine.name, store);
      const database = await store.open();
      // As if the rules had changed since.
      await asEarlierRules(database, randomNumbers(seed));
      const users = await database.all<User>(sql`
        select u.id, u.email, u.role, u.account_id as "accountId" from users u join accounts a on a.account_id = u.account_id
        where u.status = 'active' and a.status = 'active' order by u.role, u.id limit 6`);
      const devices = await database.all<{ id: string; accountId: number }>(
        sql`select id, account_id as "accountId" from devices order by id`,
      );
      await database.transaction((tx) =>
        tx.run(
          sql`update accounts set limit_per_second = 100000, limit_per_day = 1000000, limit_account_per_day = null`,
        ),
      );
      const api = await startApi(database);
      const answer = async (path: string, init: RequestInit) => {
        const { status, headers, body } = await api.request(path.slice("/v1".length), init);
        return { status, headers, body: body ?? "" };
      };
      const around = {
        nodes: { ask: answer, askUntilAnswered: answer },
        sight: new Sight(),
        windows: await windowsOf(database),
        random: Math.random,
        mayBeRefused: () => false,
        mayExpire: () => false,
      };
      const followers = await Promise.all(
        users.map(async ({ email, accountId }) => {
          const key = await keyOf(database, email);
          const deviceIds = devices.filter((device) => device.accountId === accountId).map(({ id }) => id);
          const options = { name: email, key, userId: null, types: changeTypes, maxLimit: 500 };
          return new Follower(options, { ...around, deviceIds: () => deviceIds });
        }),
      );
      for (const follower of followers) await follower.start();
      await newWriter(database).upgrade.run(new AbortController().signal);
      for (const { id: userId, role, accountId } of users) {
        if (role !== "sub_account") continue;
        const own = devices.filter((device) => device.accountId === accountId).map(({ id }) => id);
        for (const deviceIds of [
          own.filter((_, index) => index % 2 === 0),
          own.filter((_, index) => index % 3 === 0),
        ]) {
          await assignDevices(database, { accountId, userId, deviceIds }, Date.now());
        }
      }
      for (const follower of followers) {
        await follower.catchUp();
        const differences = follower.copy.differences(await follower.lists());
        expect([follower.name, differences.length, differences.slice(0, 5)]).toEqual([follower.name, 0, []]);
      }
      // An account that has no frames has nothing to report.
      expect(followers.filter(({ changes }) => changes > 0).length).toBeGreaterThan(1);
      await api.close();
    });
  }
});
