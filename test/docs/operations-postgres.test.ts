import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { debianPostgres, startDebianPostgres, type ToolsPostgres } from "../support/debian-postgres.ts";
import { blocksOf } from "./blocks.ts";
import { completeFleet } from "./fleet.ts";
import { Stage } from "./stage.ts";

const bin = debianPostgres();
const imei = "356307042441013";
const track = `time,lat,lon,speed\n${Array.from({ length: 180 }, (_, index) => {
  const time = new Date(Date.UTC(2026, 2, 14, 8) + index * 10_000).toISOString();
  return `${time},${(52.5 + Math.min(index, 120) * 0.001).toFixed(4)},13.4,${index < 120 ? 40 : 0}\n`;
}).join("")}`;

/** The block of the page that begins so. */
function block(begins: string): string {
  const found = blocksOf("docs/operations.md").find(({ text }) => text.startsWith(begins));
  if (!found) throw new Error(`no block begins with ${begins}`);
  return found.text;
}

let stage: Stage;
let server: ToolsPostgres;
let [before, token] = ["", ""];

async function run(commands: string): Promise<string> {
  const { output, failed } = await stage.run(commands);
  expect([output, failed]).toEqual([output, []]);
  return output;
}

const get = (path: string) => run(`curl -H "X-API-Key: $KEY" "http://127.0.0.1:8080/v1${path}"`);

/** What a client sees of the fleet and its past. */
async function answers(): Promise<string> {
  const paths = [`/positions/history?imei=${imei}&`, "/trips?", "/reports/mileage?"];
  const past = paths.map((path) => `${path}from=2026-03-14&to=2026-03-15`);
  return (await Promise.all(["/devices", "/positions/latest", ...past].map(get))).join("\n");
}

async function expectSameAnswers(database: string): Promise<void> {
  await stage.serve(`env DATABASE_URL=${server.url(database)} odograph serve`);
  expect(await answers()).toBe(before);
  const following = `curl -s -o /dev/null -w '%{http_code}' -H "X-API-Key: $KEY" "http://127.0.0.1:8080/v1/changes?after=${token}"`;
  expect((await stage.run(following, "as it comes")).output).toBe("410");
  await stage.stopServer();
}

beforeAll(async () => {
  if (bin === null) return;
  server = await startDebianPostgres(bin, (archive) =>
    block("archive_mode").replaceAll("/var/backups/postgresql/wal", archive),
  );
  stage = await Stage.open();
  stage.mean("/var/backups/postgresql/wal", server.archive);
  stage.mean("/var/backups/postgresql/base-2026-11-17", join(stage.directory, "base"));
  stage.mean("/var/lib/postgresql/15/main", server.data);
  stage.mean("postgres://odograph:secret@db.example:5432/odograph_restored", server.url("odograph_restored"));
  await stage.write("fleet.ndjson", completeFleet);
  await stage.write("track.csv", track);
  await run(`export PATH=${bin}:$PATH PGHOST=127.0.0.1 PGPORT=${server.port} PGUSER=postgres`);
  await run("createuser odograph && createdb --owner=odograph odograph");
  await run(`export DATABASE_URL=${server.url("odograph")}`);
  await run(`odograph load fleet.ndjson && odograph import track.csv --imei ${imei}`);
  await run("KEY=$(odograph keys create --user ana@riverside.example --scopes all --name Test 2> /dev/null)");
  await stage.serve(`env DATABASE_URL=${server.url("odograph")} odograph serve`);
  before = await answers();
  token = JSON.parse(await get("/changes")).resume_after;
});
afterAll(async () => {
  await stage?.close();
  await server?.remove();
});

if (bin === null) console.warn("not run, for want of Debian's postgresql: backups of PostgreSQL");
else {
  test("a dump is restored into another database, and everything is answered as before", async () => {
    expect(before).toContain('"distance_km":');
    // While the server runs.
    await run(block("pg_dump"));
    await stage.stopServer();
    await run(block("createdb"));
    await expectSameAnswers("odograph_restored");
  });

  test("the server is taken back to a moment, and everything is answered as then", async () => {
    await run(block("pg_basebackup"));
    await run("odograph load fleet.ndjson");
    const moment = (await run("psql --no-align --tuples-only --command='select clock_timestamp()' postgres")).trim();
    stage.mean("2026-11-17 03:00:00+00", moment);
    await run("odograph erase device 356307042441013 --yes && psql --command='select pg_switch_wal()' postgres");
    await server.stop();
    await run(block("sudo systemctl stop odograph postgresql"));
    await server.start();
    await run(block("psql"));
    await expectSameAnswers("odograph");
  });
}
