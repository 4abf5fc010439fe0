import { expect, test } from "bun:test";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onEachEngine } from "../../support/engines.ts";
import { device, load, smallFleet } from "../../support/fleet.ts";
import { usualProgram } from "../../support/program.ts";
import { serveTrackers } from "../../support/trackers/tracker-server.ts";
import { WireTracker } from "../../support/trackers/wire-tracker.ts";

const { acme, olga } = smallFleet;
const openFiles = 400;

/** The program with few files to open. */
async function tightProgram(directory: string): Promise<string> {
  const path = join(directory, "odograph-tight");
  const words = usualProgram.map((word) => `'${word}'`).join(" ");
  await writeFile(path, `#!/bin/sh\nulimit -n ${openFiles}\nexec ${words} "$@"\n`);
  await chmod(path, 0o700);
  return path;
}

function silentSocket(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  socket.on("error", () => {});
  return new Promise((resolve) => socket.once("connect", () => resolve(socket)));
}

onEachEngine("a server that may open few files", (engine) => {
  test("answers and lets trackers in, however many sockets say nothing, and says so", async () => {
    const store = await engine.fresh();
    await load(store.database, [acme, olga, device(1)]);
    const directory = await mkdtemp(join(tmpdir(), "odograph-tight-"));
    const held: Socket[] = [];
    try {
      const server = await serveTrackers({ ...store, program: await tightProgram(directory) });
      for (let number = 0; number < 2 * openFiles; number++) {
        held.push(await silentSocket(server.ports.gt06, `127.0.0.${2 + (number % 3)}`));
      }
      // Each over a connection of its own.
      for (let number = 0; number < 10; number++) {
        expect((await fetch(`${server.url}/v1/health`, { keepalive: false })).status).toBe(200);
      }
      const tracker = new WireTracker("gt06", device(1).imei, server.ports.gt06);
      expect(await tracker.connect()).toBe(true);
      tracker.close();
      const { code, stderr } = await server.stop();
      expect(code).toBe(0);
      const lines = stderr.split("\n").flatMap((line) => (line.startsWith("{") ? JSON.parse(line) : []));
      const line = (kind: string) => lines.find((one) => one.kind === kind);
      expect(line("limits")).toMatchObject({ openFiles, trackers: 200, beforeLogin: 100, keptFree: 200 });
      expect(line("open_files_few")).toMatchObject({ level: "warn", openFiles });
      expect(line("tracker_places_taken")).toMatchObject({ level: "warn", addresses: 3 });
      // All but those that had places; fewer where a slow machine took longer than the time for a login.
      expect(line("tracker_places_taken").closed).toBeGreaterThan(0);
    } finally {
      for (const socket of held) socket.destroy();
      await rm(directory, { recursive: true });
    }
  });
});
