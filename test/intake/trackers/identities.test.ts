import { expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { trackerDevices } from "../../../src/store/fleet/tracker-names.ts";
import { sql } from "../../../src/store/sql.ts";
import { onEachEngine } from "../../support/engines.ts";
import { failureOf } from "../../support/failures.ts";
import { device, type FleetRecord, fleetText, hourMs, load, loadedAt, smallFleet } from "../../support/fleet.ts";
import { accountNumber } from "../../support/ingest-node.ts";
import { runOdograph } from "../../support/program.ts";
import { callers } from "../../support/trackers/callers.ts";
import { someReports } from "../../support/trackers/reporting.ts";
import { serveTrackers, storedMoments } from "../../support/trackers/tracker-server.ts";
import { WireTracker } from "../../support/trackers/wire-tracker.ts";

const { acme, olga, rival, rita } = smallFleet;
const lengths = [14, 15, 16];
/** What these families have no room for, or take for noise. */
const notSent = ["teltonika 14", "teltonika 16", "queclink 16"];

/** A tracker of each family and length of its IMEI, as its owner wrote it down, and the other ways to write it. */
const trackers = trackerProtocols.flatMap((protocol, family) =>
  lengths.map((length, index) => {
    const number = 100 + family * lengths.length + index;
    const digits = `35123456789${number}`;
    const written = lengths.map((each) => digits.padStart(each, "0"));
    const imei = digits.padStart(length, "0");
    const identity = callers[protocol].identity(imei);
    const tracker_id = identity === imei ? null : identity;
    const first = device(number, { account_id: acme.id, imei, tracker_id });
    return { protocol, number, imei, first, otherwise: written.filter((each) => each !== imei) };
  }),
);

/** What another account may try, to get what the tracker sends. */
function claimsOf({ protocol, number, otherwise }: (typeof trackers)[number]): FleetRecord[] {
  const own = { account_id: rival.id, imei: `99000000000${number}0` };
  return otherwise.flatMap((imei) => [
    device(number + 100, { ...own, imei }),
    device(number + 100, { ...own, tracker_id: imei }),
    device(number + 100, { ...own, tracker_id: `0${callers[protocol].identity(imei)}` }),
  ]);
}

function identitiesIn(protocol: (typeof trackerProtocols)[number], bytes: Uint8Array): string[] {
  const family = families[protocol];
  let session = family.begin(callers[protocol].over);
  return Array.from(new MessageStream(family).push(bytes)).flatMap((message) => {
    const decoded = family.decode(message, session, Date.UTC(2026, 10, 16));
    session = decoded.session;
    return decoded.identity?.value ?? [];
  });
}

onEachEngine("a tracker whose IMEI can be written in several ways", (engine) => {
  const people = [acme, olga, rival, rita];

  test("is that of the account that came first, of every family and length, whatever the bytes", async () => {
    const { database } = await engine.fresh();
    await load(database, [...people, ...trackers.map(({ first }) => first)]);
    const account_id = await accountNumber(database);
    const unsent = new Set<string>();
    for (const tracker of trackers) {
      const { protocol, imei, otherwise } = tracker;
      for (const claim of claimsOf(tracker)) {
        const { message } = await failureOf(load(database, [claim], loadedAt + hourMs));
        expect(message).toContain("belongs to another device already");
        expect(message).not.toContain(acme.name);
      }
      const { login, report } = callers[protocol];
      for (const written of [imei, ...otherwise]) {
        const [sent] = someReports(1, 1);
        if (sent === undefined) throw new Error("nothing to send");
        const names = [login?.(written) ?? new Uint8Array(), report(written, sent, 3)].flatMap((bytes) =>
          identitiesIn(protocol, bytes),
        );
        const found = await trackerDevices(database, new Set(names));
        for (const name of names)
          expect([protocol, written, found.get(name)]).toEqual([
            protocol,
            written,
            { account_id, imei, tracker_protocol: null, tracker_model: null },
          ]);
        if (names.length === 0) unsent.add(`${protocol} ${written.length}`);
      }
    }
    expect([...unsent]).toEqual(notSent);
  });

  test("writes into the vehicle of that account when it calls the real program", async () => {
    const store = await engine.fresh();
    const loaded = (records: FleetRecord[]) => runOdograph(["load", "-"], { ...store, input: fleetText(records) });
    expect((await loaded([...people, ...trackers.map(({ first }) => first)])).code).toBe(0);
    const server = await serveTrackers(store);
    const [gt06] = trackers;
    for (const claim of gt06 === undefined ? [] : claimsOf(gt06)) {
      const { code, stderr } = await loaded([claim]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("belongs to another device already")]);
    }
    const sent = await Promise.all(
      trackers.map(async ({ protocol, number, imei, otherwise }) => {
        const spoken = [imei, ...otherwise].find(({ length }) => !notSent.includes(`${protocol} ${length}`)) ?? imei;
        const tracker = new WireTracker(protocol, spoken, server.ports[protocol]);
        const [report] = someReports(number, 1);
        const isStored = report !== undefined && (await tracker.connect()) && (await tracker.report(report));
        tracker.close();
        return isStored ? [`${imei} ${report.at}`] : [];
      }),
    );
    expect((await server.stop()).code).toBe(0);
    const moments = await storedMoments(store.database);
    expect([...moments.keys()].toSorted()).toEqual(sent.flat().toSorted());
    expect(sent.flat().length).toBe(trackers.length);
    const rivals = await store.database.all(
      sql`select n.device from tracker_names n join accounts a on a.account_id = n.account_id where a.id = ${rival.id}`,
    );
    expect(rivals).toEqual([]);
  });
});
