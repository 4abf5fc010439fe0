import { expect, test } from "bun:test";
import { messagesIn } from "../../src/intake/trackers/connection/describe.ts";
import { MessageLog } from "../../src/intake/trackers/connection/message-log.ts";
import { WatchedTrackers } from "../../src/intake/trackers/connection/show-watched.ts";
import { gt06 } from "../../src/intake/trackers/gt06/family.ts";
import type { TrackerMessages } from "../../src/portal/both-sides/contract/trackers.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, sharedPortal } from "../support/portal.ts";
import { encodeLocation, encodeLogin } from "../support/trackers/gt06-encoder.ts";

const clock = [26, 3, 14, 8, 15, 30] as const;
const fix = { clock, satellites: 9, latitude: 94_536_000, longitude: 24_129_000, speedKmh: 50, heading: 90 };

onEachEngine("what a vehicle's tracker sends", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  const messagesOf = async (browser: Browser, id: string): Promise<TrackerMessages> =>
    (await browser.post(`/fleet/devices/${id}/tracker-messages`)).body;

  test("is written down from the moment a person looks, and shown to the owner alone, newest first", async () => {
    const { signIn, store, accounts, devices } = given();
    const [olga, otto] = [await signIn("olga@acme.example"), await signIn("otto@polar.example")];
    const { id, imei } = devices.van;
    const log = new MessageLog();
    const watched = new WatchedTrackers(store.database, messagesIn(log));
    const receive = (accountId: number, bytes: Uint8Array, receivedAt: number) =>
      log.add(imei, { accountId, receivedAt, family: gt06, bytes, session: gt06.begin(), outcome: "stored" });
    const now = Date.now();
    const own = accounts.acme.account_id;
    // It was another account's before: what it sent then is not shown.
    receive(accounts.polar.account_id, encodeLogin(imei, 1), now - 3_000);
    receive(own, encodeLogin(imei, 2), now - 2_000);
    await watched.show(now);
    expect(await messagesOf(olga, id)).toEqual({ data: [], is_listening: false });
    receive(own, encodeLocation({ ...fix, isLocated: true }, true, 3), now - 1_000);
    await watched.show(now);
    const { data } = await messagesOf(olga, id);
    expect(data.map(({ what }) => what)).toEqual(["location 0x22", "login"]);
    const [location, login] = data;
    expect(location).toMatchObject({
      received_at: new Date(now - 1_000).toISOString(),
      protocol: "gt06",
      bytes: Buffer.from(encodeLocation({ ...fix, isLocated: true }, true, 3)).toString("hex"),
      frames: [{ recorded_at: "2026-03-14T08:15:30.000Z", speed_kmh: 50, satellites: 9, ignition: true, fix: true }],
      problem: null,
      outcome: "stored",
    });
    expect(login).toMatchObject({ identity: imei, frames: [], reply: expect.stringMatching(/^7878/) });
    expect(new Set(data.map(({ id }) => id)).size).toBe(2);
    for (const other of [id, "nothing", "00000000-0000-4000-8000-000000000000"]) {
      expect((await otto.post(`/fleet/devices/${other}/tracker-messages`)).status).toBe(404);
    }
    const anna = await signIn("anna@acme.example");
    expect((await anna.post(`/fleet/devices/${id}/tracker-messages`)).status).toBe(403);
  });

  test("is at most fifty messages", async () => {
    const { signIn, store, accounts, devices } = given();
    const olga = await signIn("olga@acme.example");
    const { id, imei } = devices.truck;
    const watched = [new MessageLog(), new MessageLog()].map((log, node) => {
      for (let serial = 0; serial < 40; serial++) {
        const receivedAt = Date.now() - 1_000 * serial - node;
        const message = { accountId: accounts.acme.account_id, receivedAt, family: gt06, session: gt06.begin() };
        log.add(imei, { ...message, bytes: encodeLogin(imei, serial), outcome: "stored" });
      }
      return new WatchedTrackers(store.database, messagesIn(log));
    });
    await messagesOf(olga, id);
    for (const node of watched) await node.show(Date.now());
    const { data } = await messagesOf(olga, id);
    const times = data.map(({ received_at }) => received_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(data.map(({ id }) => id)).size).toBe(50);
  });

  test("and where trackers call is for owners, with the ports that are open", async () => {
    const { signIn } = given();
    const olga = await signIn("olga@acme.example");
    const { data } = (await olga.get("/fleet/tracker-address")).body;
    expect(data).toMatchObject({ host: "odograph.test", is_guess: true, is_local: false });
    expect(data.ports[0]).toEqual({ protocol: "gt06", port: null, usual_port: 5023 });
  });
});
