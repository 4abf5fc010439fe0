import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onOneEngine } from "../support/one-engine.ts";
import { startFleetServer } from "./fleet-server.ts";
import { type ExampleProject, exampleProject } from "./running-example.ts";

const hourMs = 3_600_000;
let project: ExampleProject;
beforeAll(async () => {
  project = await exampleProject();
});
afterAll(() => project?.remove());

interface Mileage {
  readonly date: string;
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string;
  readonly distance_km: number;
}

onOneEngine("yesterday's mileage", (engine) => {
  // In one of the two it is another day than in UTC, whatever the time.
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Midway"]) {
    test(`is that of the account's zone, ${timeZone}, in a file that spreadsheets read safely`, async () => {
      const server = await startFleetServer(await engine.empty(), { vehicles: 3, timeZone });
      const now = Date.now();
      await server.load(server.frames(now - 48 * hourMs, now));
      const device = server.world.fleet.find((record) => "type" in record && record.type === "device");
      await server.load([{ ...device, name: '=HYPERLINK("x"),1' }]);
      const key = await server.key();
      const env = { FLEET_URL: server.url, FLEET_KEY: key };
      const yesterday = () =>
        new Date(Date.now() + (zoneHours[timeZone] ?? 0) * hourMs - 24 * hourMs).toISOString().slice(0, 10);
      const before = yesterday();
      const example = project.start("mileage-csv.ts", env);
      expect([await example.ended, example.printed()]).toEqual([0, expect.stringContaining("mileage-")]);

      const [, date = ""] = /mileage-(\S+)\.csv/.exec(example.printed()) ?? [];
      // It may be midnight there just now.
      expect([before, yesterday()]).toContain(date);
      const rows = (await server.list<Mileage>("/reports/mileage", key)).filter((row) => row.date === date);
      expect(rows.length).toBeGreaterThan(0);
      expect(example.printed()).toBe(`mileage-${date}.csv\n`);
      const [head, ...lines] = (await readFile(join(project.directory, `mileage-${date}.csv`), "utf8")).split("\r\n");
      expect(head).toBe(Object.keys(rows[0] ?? {}).join());
      expect(lines.pop()).toBe("");
      expect(lines).toHaveLength(rows.length);
      for (const [index, row] of rows.entries()) {
        const name = row.name.includes("=") ? `"'=HYPERLINK(""x""),1"` : row.name;
        const cells = [row.device_id, row.imei, name, row.plate, date, timeZone, row.distance_km];
        expect(lines[index]).toStartWith(`${cells.join()},`);
      }
      expect(lines.filter((line) => line.includes("HYPERLINK"))).toHaveLength(1);

      const earlier = new Date(Date.parse(date) - 24 * hourMs).toISOString().slice(0, 10);
      const again = project.start("mileage-csv.ts", env, earlier);
      expect([await again.ended, again.printed()]).toEqual([0, expect.stringContaining(`mileage-${earlier}.csv`)]);
      const wrong = project.start("mileage-csv.ts", env, "yesterday");
      expect([await wrong.ended, wrong.printed()]).toEqual([1, expect.stringContaining('got "yesterday"')]);
      await server.stop();
    });
  }
});

const zoneHours: Readonly<Record<string, number>> = { "Pacific/Kiritimati": 14, "Pacific/Midway": -11 };
