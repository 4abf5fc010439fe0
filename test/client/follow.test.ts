import { expect, test } from "bun:test";
import { type Change, type ChangeBatch, type Fetch, OdographClient } from "../../client/src/index.ts";
import { allAccounts } from "../../src/store/each-account.ts";
import { forgetRecords } from "../../src/store/upkeep/forgotten-removals.ts";
import { type FleetServer, startFleetServer, workday } from "../examples/fleet-server.ts";
import { onEachEngine } from "../support/engines.ts";
import { until } from "../support/patience.ts";

const hourMs = 3_600_000;
const fast = { intervalS: 0.05 };

/** What a follower holds after the changes, by type and id. */
class Copy {
  readonly records = new Map<string, object>();

  take(changes: readonly Change[]): void {
    for (const { type, id, record } of changes) {
      if (record === null) this.records.delete(`${type} ${id}`);
      else this.records.set(`${type} ${id}`, record);
    }
  }

  of(type: string): object[] {
    const own = [...this.records].filter(([name]) => name.startsWith(`${type} `));
    return own.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, record]) => record);
  }
}

async function trips(server: FleetServer, key: string): Promise<object[]> {
  const window = [workday - 24 * hourMs, workday + 96 * hourMs].map((ms) => new Date(ms).toISOString());
  const rows = await server.list<{ trip_id: string }>(`/trips?from=${window[0]}&to=${window[1]}`, key);
  return rows.sort((one, other) => (one.trip_id < other.trip_id ? -1 : 1));
}

onEachEngine("following the real program", (engine) => {
  test("gives every change, from any stored token on, in pages of any size", async () => {
    const server = await startFleetServer(await engine.empty(), { vehicles: 3, from: workday });
    const key = await server.key();
    let requests = 0;
    const counting: Fetch = (address, init) => {
      requests += 1;
      return fetch(address, init);
    };
    const odograph = new OdographClient({ url: server.url, key, fetch: counting });
    const stop = new AbortController();
    const following = odograph.follow({}, { ...fast, signal: stop.signal });
    const start = (await following.next()).value as ChangeBatch;
    expect(start).toMatchObject({ isStart: true, changes: [] });

    await server.load(server.frames(workday, workday + 16 * hourMs));
    const copy = new Copy();
    for await (const batch of following) {
      copy.take(batch.changes);
      const wanted = await trips(server, key);
      if (wanted.length > 0 && Bun.deepEquals(copy.of("trip"), wanted)) break;
    }
    for (const type of ["position", "alert", "mileage"]) expect(copy.of(type).length, type).toBeGreaterThan(0);

    // From the first token again: at one go, and in pages by one follower after the other, each from the newest token.
    const atOnce = async () => {
      const all = new Copy();
      const pages = odograph.listChanges({ after: start.resumeAfter, limit: 500 }).pages();
      for await (const page of pages) all.take(page.data);
      return all;
    };
    const again = new Copy();
    let after = start.resumeAfter;
    let followers = 0;
    for (let isSame = false; !isSame; ) {
      followers += 1;
      for await (const batch of odograph.follow({ after, limit: 400 }, fast)) {
        again.take(batch.changes);
        after = batch.resumeAfter;
        isSame = batch.changes.length < 400 && Bun.deepEquals(again.records, (await atOnce()).records);
        break;
      }
    }
    expect(followers).toBeGreaterThan(2);

    // Looks that find nothing new cost nothing of the day. What ends by the clock may still change something.
    const signalled = odograph.follow({ after }, { ...fast, signal: stop.signal });
    const looks = Array.fromAsync(signalled);
    await until(async () => {
      const [seen, left] = [requests, odograph.quota?.leftToday];
      await until(() => requests > seen + 5);
      return odograph.quota?.leftToday === left;
    });
    stop.abort();
    expect((await looks).every(({ isStart }) => !isStart)).toBe(true);
    await server.stop();
  });

  test("a token that has expired is an error, or a new start; what is wrong is refused by name", async () => {
    const store = await engine.fresh();
    const server = await startFleetServer(store, { vehicles: 3 });
    const user = server.world.fleet.find((record) => "role" in record && record.role === "sub_account") as {
      id: string;
      email: string;
    };
    const key = await server.key(user.email);
    const odograph = new OdographClient({ url: server.url, key });
    const seen = (await odograph.listDevices().all()).map(({ device_id }) => device_id);
    const leaving = server.world.fleet.find((record) => "imei" in record && "id" in record && record.id === seen[0]);
    const following = odograph.follow({ types: ["device"] }, fast);
    const { resumeAfter: after } = (await following.next()).value as ChangeBatch;
    await server.load([{ ...leaving, user_ids: [] }]);
    expect((await following.next()).value?.changes).toMatchObject([{ type: "device", change: "removed", id: seen[0] }]);
    for await (const account of allAccounts(store.database)) {
      await store.database.transaction((tx) => forgetRecords(tx, account, Date.now() + hourMs, 1_000));
    }

    const expired = odograph.follow({ after, types: ["device"] }, fast);
    await expect(expired.next()).rejects.toMatchObject({ code: "CURSOR_EXPIRED", status: 410 });
    const restarted = odograph.follow({ after, types: ["device"] }, { ...fast, onExpired: "restart" });
    expect((await restarted.next()).value).toMatchObject({ isStart: true, changes: [] });
    // Who asks for other things has missed nothing.
    const others = odograph.follow({ after, types: ["trip"] }, { ...fast, signal: AbortSignal.timeout(500) });
    for await (const { isStart, changes } of others)
      expect({ isStart, changes }).toEqual({ isStart: false, changes: [] });

    await expect(odograph.follow({ after: `${after}x` }, fast).next()).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("after"),
    });
    const known = [];
    for await (const { type, id, device_id } of odograph.backfill({ from: new Date(), types: ["device", "trip"] }))
      known.push([type, id, device_id]);
    expect(known).toEqual(seen.slice(1).map((id) => ["device", id, id]));
    await server.stop();
  });
});
