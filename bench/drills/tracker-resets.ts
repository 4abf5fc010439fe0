/**
 * Trackers of each family connect, send messages a millisecond apart without reading a reply, and reset the connection, as a modem
 * does that loses its power. Held if every message that was sent before the reset is stored.
 *
 *     node_modules/.bin/bun bench/drills/tracker-resets.ts [--tries 100] [--messages 20] [--at-once 10] [--postgres]
 *
 *   --tries N     connections of each family
 *   --messages N  of each connection
 *   --at-once N   connections at the same time
 *   --postgres    on a PostgreSQL of its own instead of SQLite
 */

import { trackerProtocols } from "../../src/domain/tracker-protocols.ts";
import { openDatabase } from "../../src/store/open.ts";
import { callers } from "../../test/support/trackers/callers.ts";
import { someReports, trackerDevice } from "../../test/support/trackers/reporting.ts";
import { storedMoments } from "../../test/support/trackers/tracker-server.ts";
import { readOptions } from "../support/options.ts";
import { withTrackerServer } from "../support/tracker-server.ts";
import { conclude, print } from "./support/report.ts";

const options = readOptions(import.meta.url, { tries: 100, messages: 20, "at-once": 10, postgres: false });
const [tries, messages, atOnce] = [options.tries, options.messages, options["at-once"]];
const families = trackerProtocols.length;

await withTrackerServer({ devices: tries * families, onPostgres: options.postgres }, async (start, _, target) => {
  const server = await start();
  const waiting = Array.from({ length: tries * families }, (_, number) => number);
  const sendAll = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) await sendAndReset(number);
  };
  /** It sends nothing that needs an answer first: what is under test is whether it is read. */
  const sendAndReset = async (number: number) => {
    const protocol = trackerProtocols[number % families] ?? "gt06";
    const { imei } = trackerDevice(number, "");
    const { login, report } = callers[protocol];
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: server.ports[protocol],
      socket: { open: (opened) => opened.pause(), data: () => {} },
    });
    socket.setNoDelay(true);
    if (login !== null) socket.write(login(imei));
    for (const [index, one] of someReports(number, messages).entries()) {
      socket.write(report(imei, one, 2 * index + 3));
      await Bun.sleep(1);
    }
    // With SO_LINGER 0: a reset.
    socket.terminate();
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, sendAll));
  print("connections reset", tries * families);
  print("seconds", ((performance.now() - began) / 1000).toFixed(1));
  const database = await openDatabase(target, { create: false });
  let moments = await storedMoments(database);
  // What came is stored within moments.
  for (let before = -1; before !== moments.size; moments = await storedMoments(database)) {
    before = moments.size;
    await Bun.sleep(3_000);
  }
  await database.close();
  let lost = 0;
  for (const [index, protocol] of trackerProtocols.entries()) {
    const numbers = Array.from({ length: tries }, (_, turn) => turn * families + index);
    const missing = numbers.map((number) => {
      const { imei } = trackerDevice(number, "");
      return someReports(number, messages).filter(({ at }) => !moments.has(`${imei} ${at}`)).length;
    });
    const sum = missing.reduce((total, one) => total + one, 0);
    lost += sum;
    const hurt = missing.filter((one) => one > 0).length;
    print(`lost of ${protocol}`, `${sum} of ${tries * messages}, in ${hurt} of ${tries} connections`);
  }
  conclude(lost === 0, `${lost} messages were lost`);
});
