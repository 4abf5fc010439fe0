/**
 * Makes the fixture of this version: a store on each engine, written by the program itself, with what the API shows of
 * it. Run it once for each release, from the commit that is released, and never again:
 *
 *   DATABASE_URL=postgres://…/empty-database node_modules/.bin/bun scripts/store-fixture.ts
 *
 * Needs `pg_dump` of the server's version on the PATH.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import packageFile from "../package.json" with { type: "json" };
import { formatInstant } from "../src/domain/time/time.ts";
import { createWorld } from "../src/simulator/world.ts";
import { openDatabase, type StoreTarget } from "../src/store/open.ts";
import { runOdograph, startOdograph } from "../test/support/program.ts";
import { answersOf } from "../test/support/recorded-answers.ts";

const dayMs = 86_400_000;
const firstDay = Date.UTC(2026, 10, 9);
const lastDay = firstDay + dayMs + 13 * 3_600_000;
/** Frames that arrive after this are not in the store: they are sent after the upgrade. */
const storedUntil = firstDay + dayMs + 9 * 3_600_000;
/** The vehicle whose first day arrives last. */
const lateVehicle = 1;
const vehicles = 4;
const rita = { name: "Rita", email: "rita@rival.example", password: "a password of the fixture" };
const limits = { per_second: 1000, per_day: 1_000_000 };
const closedAccount = { type: "account", id: uuid(6), name: "Closed", limits };

const world = createWorld({ seed: 7, vehicles, from: firstDay });
const directory = new URL(`../test/fixtures/stores/${packageFile.version}/`, import.meta.url).pathname;
const scratch = await mkdtemp(join(tmpdir(), "odograph-fixture-"));
await mkdir(directory, { recursive: true });
try {
  const sqlite = await makeStore({ ODOGRAPH_DATA: scratch }, { engine: "sqlite", directory: scratch });
  const url = process.env.DATABASE_URL;
  if (url === undefined) throw new Error("DATABASE_URL must name an empty PostgreSQL database");
  const postgres = await makeStore({ DATABASE_URL: url }, { engine: "postgres", url });
  await compressed("answers.json.br", JSON.stringify({ sqlite, postgres }));
  await compressed("later-frames.ndjson.br", ndjson(framesOfTheWorld().later));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Makes the store and writes it into the fixture. Returns the answers before and after the later frames. */
async function makeStore(env: Readonly<Record<string, string>>, target: StoreTarget) {
  const run = async (args: readonly string[], input = "") => {
    const { code, stdout, stderr } = await runOdograph(args, { env, input });
    if (code !== 0) throw new Error(`odograph ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const { now, late, later } = framesOfTheWorld();
  await run(["load", "-"], ndjson([...fleetOfTheWorld(), ...now]));
  await run(["load", "-"], ndjson(late));
  await run(["load", "-"], ndjson(editedRecords()));

  const owner = world.ownerEmail;
  const key = async (name: string, email: string, scopes: string, ...further: string[]) => {
    const words = ["--per-second", "1000", "--per-day", "1000000", "--json", ...further];
    return JSON.parse(await run(["keys", "create", "--user", email, "--name", name, "--scopes", scopes, ...words]));
  };
  const expiresAt = Date.now() + 30_000;
  const made = {
    owner: await key("owner", owner, "all"),
    depot: await key("depot", "north@odograph.example", "all"),
    "positions only": await key("positions only", owner, "positions:read"),
    rival: await key("rival", rita.email, "all"),
    revoked: await key("revoked", owner, "all"),
    expired: await key("expired", owner, "all", "--expires", formatInstant(expiresAt)),
    replaced: await key("replaced", rita.email, "all"),
    suspended: await key("suspended", "carl@closed.example", "all"),
  };
  await run(["keys", "revoke", made.revoked.id]);
  await run(["load", "-"], ndjson([{ ...closedAccount, status: "suspended" }]));
  const gateway = ["ingest-tokens", "create", "--account", world.accountId, "--name", "gateway", "--json"];
  const { token } = JSON.parse(await run(gateway));
  // Nobody takes mails there, so they wait in the store.
  const mail = [
    "--smtp",
    "smtp://127.0.0.1:1",
    "--mail-from",
    "fleet@rival.example",
    "--public-url",
    "http://localhost",
  ];
  const server = await startOdograph(["serve", "--port", "0", "--ingest-port", "0", ...mail], { env });
  const successor = await replaceKey(server.url, made.replaced.id);
  await acknowledgeSome(run, server.url, made.owner.key);
  await server.stop();
  await Bun.sleep(Math.max(0, expiresAt - Date.now()));

  const secrets = Object.entries(made).map(([name, { key }]) => [name, key]);
  const keys = { ...Object.fromEntries(secrets), successor };
  const before = await recorded(target, keys);
  await write(target);
  await run(["load", "-"], ndjson(later));
  const { email, password } = rita;
  return { keys, token, signIn: { email, password }, before, after: await recorded(target, keys) };
}

/** The file of the store, or a script that makes it again. */
async function write(target: StoreTarget): Promise<void> {
  if (target.engine === "sqlite") {
    const copy = join(scratch, "copy.db");
    const { code, stderr } = await runOdograph(["backup", copy], { env: { ODOGRAPH_DATA: target.directory } });
    if (code !== 0) throw new Error(stderr);
    await compressed("sqlite.db.br", await readFile(copy));
    return;
  }
  const dump = Bun.spawnSync(["pg_dump", "--inserts", "--rows-per-insert=500", "--no-owner", target.url]);
  if (!dump.success) throw new Error(dump.stderr.toString());
  // Lines for psql alone, which newer versions of pg_dump put around the script.
  await compressed("postgres.sql.br", dump.stdout.toString().replaceAll(/^\\.*\n/gm, ""));
}

/** The demo's world, a rival with one vehicle of its own, and an account that will be suspended. */
function fleetOfTheWorld(): object[] {
  const rival = { account_id: uuid(1) };
  const yard = { type: "Point", coordinates: [13.4, 52.5] };
  return [
    ...world.fleet.map((record) => ("limits" in record ? { ...record, limits } : record)),
    { type: "account", id: uuid(1), name: "Rival", limits },
    { type: "user", id: uuid(2), ...rival, ...rita, role: "owner" },
    {
      type: "user",
      id: uuid(3),
      ...rival,
      name: "Gone",
      email: "gone@rival.example",
      role: "sub_account",
      status: "disabled",
    },
    { type: "device", id: uuid(4), ...rival, imei: "356307042009999", name: '=Rival "van", 1', user_ids: [uuid(3)] },
    { type: "driver", id: uuid(8), ...rival, name: "Amara", driver_ids: ["00F1A2B3"] },
    { type: "geofence", id: uuid(5), ...rival, name: "Yard", shape: "circle", geometry: yard, radius_m: 200 },
    { type: "alert_settings", device_id: uuid(4), rules: [{ alert_type: "speeding", parameters: { limit_kmh: 50 } }] },
    ...Array.from({ length: 12 }, (_, index) => ({
      type: "frame",
      imei: "356307042009999",
      recorded_at: formatInstant(firstDay + index * 10_000),
      received_at: formatInstant(firstDay + index * 10_000 + 1_000),
      latitude: 52.5 + (index * 250) / 111_000,
      longitude: 13.4,
      speed_kmh: 90,
      driver_id: "00F1A2B3",
      ...(index === 7 ? { event: "sos" } : {}),
    })),
    closedAccount,
    { type: "user", id: uuid(7), account_id: uuid(6), name: "Carl", email: "carl@closed.example", role: "owner" },
  ];
}

/** A fence gets a second version and a vehicle another name. */
function editedRecords(): object[] {
  const fence = world.fleet.find((record) => "shape" in record && record.shape === "circle") as { radius_m: number };
  const device = world.fleet.find((record) => "imei" in record) as object;
  const valid_from = formatInstant(firstDay + 12 * 3_600_000);
  return [
    { ...fence, radius_m: fence.radius_m * 1.5, valid_from },
    { ...device, name: "Renamed van" },
  ];
}

function framesOfTheWorld(): { readonly now: object[]; readonly late: object[]; readonly later: object[] } {
  const imeis = world.fleet.flatMap((record) => ("imei" in record ? [String(record.imei)] : []));
  const frames = { now: [] as object[], late: [] as object[], later: [] as object[] };
  for (const message of world.messages(firstDay, lastDay)) {
    for (const frame of message.frames) {
      const line = { type: "frame", ...frame, received_at: formatInstant(message.arrivesAt) };
      if (message.arrivesAt >= storedUntil) frames.later.push(line);
      else if (frame.imei === imeis[lateVehicle] && message.arrivesAt < firstDay + dayMs) frames.late.push(line);
      else frames.now.push(line);
    }
  }
  return frames;
}

/** In the portal, by its user: replaces a key without an overlap, shares a vehicle, wishes for mails. Returns the successor. */
async function replaceKey(url: string, id: string): Promise<string> {
  const headers = { "X-Odograph-Portal": "1", Origin: url, "Content-Type": "application/json" };
  const post = async (path: string, body: object, cookie = "") => {
    const request = { method: "POST", headers: { ...headers, Cookie: cookie }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/portal/api${path}`, request);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
  const { email, password } = rita;
  const session = await post("/session", { email, password });
  const cookies = session.headers.getSetCookie().map((line) => line.split(";")[0]);
  const cookie = cookies.join("; ");
  const until = formatInstant(Date.now() + 20 * dayMs);
  await post("/shares", { name: "Delivery", device_ids: [uuid(4)], is_live: true, until }, cookie);
  await post("/notifications", { pacing: "hour", alert_types: ["speeding"] }, cookie);
  await post("/planned-reports", { report: "trips", name: "Trips", cadence: "week", user_ids: [uuid(2)] }, cookie);
  const replaced = await post(`/keys/${id}/rotate`, { overlap_hours: 0 }, cookie);
  return ((await replaced.json()) as { key: string }).key;
}

/** Over HTTP, as a customer's system finds them, so that there are counters and usage, too. */
async function acknowledgeSome(
  run: (args: readonly string[]) => Promise<string>,
  url: string,
  key: string,
): Promise<void> {
  const window = `from=${formatInstant(firstDay)}&to=${formatInstant(lastDay)}`;
  const response = await fetch(`${url}/v1/alerts?${window}&limit=3`, { headers: { "X-API-Key": key } });
  const { data } = (await response.json()) as { data: { alert_id: string }[] };
  if (data.length < 3) throw new Error("the world has too few alerts");
  for (const { alert_id } of data) await run(["alerts", "acknowledge", alert_id, "--user", world.ownerEmail]);
}

async function recorded(target: StoreTarget, keys: Readonly<Record<string, string>>) {
  const database = await openDatabase(target, { create: false });
  try {
    return await answersOf(database, keys);
  } finally {
    await database.close();
  }
}

async function compressed(name: string, content: string | Uint8Array): Promise<void> {
  // The answers before and after, and those of the two engines, are nearly the same: a window that holds all of them.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  await writeFile(join(directory, name), brotliCompressSync(content, { params }));
}

function ndjson(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function uuid(number: number): string {
  return `1f0d0c1e-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
