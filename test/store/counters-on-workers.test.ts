import { expect, test } from "bun:test";
import { CountersOnWorkers } from "../../src/store/changes/counters-on-workers.ts";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { AboutAccounts, Database } from "../../src/store/database.ts";

const viewer = (accountId: number) => ({ accountId, viewerId: accountViewer });

/** Accounts with odd numbers are on one worker, the others on another. Workers answer when the test lets them. */
function twoWorkers() {
  const asked: { readonly accounts: readonly number[]; readonly answer: PromiseWithResolvers<void> }[] = [];
  const allOnWorker = async (accounts: readonly number[], _about: AboutAccounts) => {
    const answer = Promise.withResolvers<void>();
    asked.push({ accounts, answer });
    await answer.promise;
    return accounts.map((account_id) => ({
      account_id,
      user_id: accountViewer,
      counters: Array.from({ length: 16 }, (_, index) => account_id * 100 + index).join(" "),
    }));
  };
  const database: Partial<Database> = {
    workerOf: (account) => (account % 2 === 1 ? "odd" : "even"),
    allOnWorker: allOnWorker as NonNullable<Database["allOnWorker"]>,
  };
  return { counters: new CountersOnWorkers(database as Database), asked };
}

test("viewers of one worker are one question, and each gets its own counters", async () => {
  const { counters, asked } = twoWorkers();
  const reading = counters.read([viewer(1), viewer(2), viewer(3), viewer(1)]);
  expect(asked.map(({ accounts }) => accounts)).toEqual([[1, 3], [2]]);
  for (const { answer } of asked) answer.resolve();
  const found = await reading;
  expect([...found.keys()].toSorted()).toEqual([1, 2, 3].map((account) => `${account} ${accountViewer}`));
  expect(found.get(`3 ${accountViewer}`)).toMatchObject({
    livePositions: 300,
    devices: 301,
    seen: { device: 302, alert_settings: 312, driver: 313 },
    last: 314,
    forgotten: 315,
  });
});

test("viewers of a silent worker get none, the others theirs, and it is not asked again until it answers", async () => {
  const { counters, asked } = twoWorkers();
  const first = counters.read([viewer(1), viewer(2)]);
  asked[1]?.answer.resolve();
  expect([...(await first).keys()]).toEqual([`2 ${accountViewer}`]);
  const second = counters.read([viewer(1), viewer(2)]);
  expect(asked.map(({ accounts }) => accounts)).toEqual([[1], [2], [2]]);
  asked[2]?.answer.resolve();
  expect([...(await second).keys()]).toEqual([`2 ${accountViewer}`]);
  asked[0]?.answer.reject(new Error("no answer"));
  await new Promise((resolve) => setImmediate(resolve));
  const third = counters.read([viewer(1)]);
  asked[3]?.answer.resolve();
  expect([...(await third).keys()]).toEqual([`1 ${accountViewer}`]);
});
