import { expect, test } from "bun:test";
import { trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import { MessageStream } from "../../../src/intake/trackers/kit/stream.ts";
import { sql } from "../../../src/store/sql.ts";
import { onEachEngine } from "../../support/engines.ts";
import { until } from "../../support/patience.ts";
import { runOdograph } from "../../support/program.ts";
import { rounds } from "../../support/rounds.ts";
import { callers } from "../../support/trackers/callers.ts";
import { ReportingTracker, someReports, trackerDevice } from "../../support/trackers/reporting.ts";
import { fleetOf, serveTrackers, storedMoments } from "../../support/trackers/tracker-server.ts";
import { WireTracker } from "../../support/trackers/wire-tracker.ts";

onEachEngine("a server that trackers call", (engine) => {
  test("stores what each family sends, and answers it", async () => {
    const store = await engine.fresh();
    await fleetOf(store, trackerProtocols.length);
    const server = await serveTrackers(store);
    const trackers = trackerProtocols.map((_, number) => new ReportingTracker(number, someReports(number, 5)));
    await Promise.all(trackers.map((tracker) => tracker.send(server.ports)));
    expect(trackers.map(({ answered }) => answered.length)).toEqual(trackers.map(() => 5));
    expect((await server.stop()).code).toBe(0);
    const moments = await storedMoments(store.database);
    for (const { imei, answered } of trackers) {
      expect(answered.map(({ at }) => moments.get(`${imei} ${at}`))).toEqual(answered.map(() => 1));
    }
    expect(moments.size).toBe(5 * trackers.length);
  });

  test("loses nothing that it answered when it is killed, and stores once what comes again", async () => {
    const store = await engine.fresh();
    const count = rounds(2, 6) * trackerProtocols.length;
    const reportsOfEach = rounds(40, 100);
    await fleetOf(store, count);
    const trackers = Array.from(
      { length: count },
      (_, number) => new ReportingTracker(number, someReports(number, reportsOfEach)),
    );
    const answered = () => trackers.reduce((sum, tracker) => sum + tracker.answered.length, 0);
    for (const share of [0.3, 0.6]) {
      const server = await serveTrackers(store);
      const enough = share * count * reportsOfEach;
      const killed = Promise.withResolvers<void>();
      const isEnough = () => {
        if (answered() < enough) return false;
        // In the middle of what the others have under way.
        server.kill().then(killed.resolve);
        return true;
      };
      await Promise.all(trackers.map((tracker) => tracker.send(server.ports, isEnough)));
      await killed.promise;
      const moments = await storedMoments(store.database);
      const lost = trackers.flatMap(({ imei, answered: safe }) =>
        safe.filter(({ at }) => !moments.has(`${imei} ${at}`)),
      );
      expect(lost).toEqual([]);
    }
    const last = await serveTrackers(store);
    await Promise.all(trackers.map((tracker) => tracker.send(last.ports)));
    expect((await last.stop()).code).toBe(0);
    const moments = await storedMoments(store.database);
    expect(moments.size).toBe(count * reportsOfEach);
    expect(new Set(moments.values())).toEqual(new Set([1]));
  });

  test("shows what a tracker sends, refuses those it does not know, and notes them", async () => {
    const store = await engine.fresh();
    await fleetOf(store, 1);
    const server = await serveTrackers(store);
    const { imei } = trackerDevice(0, "");
    const watching = runOdograph(["trackers", "watch", imei, "--count", "2", "--json"], store);
    const tracker = new ReportingTracker(0, someReports(0, 1));
    await tracker.send(server.ports);
    const { stdout, code } = await watching;
    expect(code).toBe(0);
    const shown = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(shown.map(({ protocol, what, outcome }) => [protocol, what, outcome])).toEqual([
      ["gt06", "login", "stored"],
      ["gt06", "location 0x22", "stored"],
    ]);
    expect(shown[1].frames[0]).toMatchObject({ latitude: 52.5, longitude: 13.4, ignition: true });
    const stranger = new WireTracker("gt06", "860000000099999", server.ports.gt06);
    expect(await stranger.connect()).toBe(false);
    await until(async () => {
      const rows = await store.database.all(sql`select imei from unknown_devices`);
      return rows.length === 1;
    });
    await server.stop();
  });

  test("answers a recorded session as it would a tracker", async () => {
    const store = await engine.fresh();
    await fleetOf(store, 1);
    const server = await serveTrackers(store);
    const { imei } = trackerDevice(0, "");
    const { login, report } = callers.gt06;
    const [first] = someReports(0, 1);
    const sent = Buffer.concat([login?.(imei), first && report(imei, first, 3)] as Uint8Array[]);
    const messages = Array.from(new MessageStream(families.gt06).push(sent), (message) => message.toHex());
    const input = ["# a session", ...messages].join("\n");
    const to = `127.0.0.1:${server.ports.gt06}`;
    const { code, stdout, stderr } = await runOdograph(["trackers", "replay", "-", "--protocol", "gt06", "--to", to], {
      ...store,
      input,
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split("  ")[1]),
    ).toEqual(["login", "location 0x22"]);
    await server.stop();
  });

  test("says which line of a recorded session is no message", async () => {
    const store = await engine.empty();
    const replayed = (input: string) =>
      runOdograph(["trackers", "replay", "-", "--protocol", "gt06"], { ...store, input });
    const garbage = await replayed("# nothing\nzzz\n");
    expect([garbage.code, garbage.stderr]).toEqual([2, "odograph: line 2 is no whole message of gt06\n"]);
    expect((await replayed("\n")).code).toBe(2);
  });

  test("lets nobody in from another network, and says what a wrong setting should be", async () => {
    const store = await engine.fresh();
    await fleetOf(store, 1);
    const server = await serveTrackers(store, ["--tracker-networks", "10.0.0.0/8"]);
    const tracker = new ReportingTracker(0, someReports(0, 1));
    await tracker.send(server.ports);
    expect(tracker.answered).toEqual([]);
    await server.stop();
    const wrong = await runOdograph(["serve", "--trackers", "gt06,nonsense"], store);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("--trackers: expected names of tracker families");
    const alone = await runOdograph(["config", "--tracker-networks", "10.0.0.0/8"], store);
    expect(alone.stderr).toContain("--tracker-networks needs --trackers");
  });
});
