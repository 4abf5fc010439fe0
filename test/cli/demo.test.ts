import { afterAll, afterEach, expect, test } from "bun:test";
import { cp, link, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sessions } from "../../src/access/sessions.ts";
import { SignIn } from "../../src/access/sign-in.ts";
import { demoText, portsNote } from "../../src/cli/demo/demo-text.ts";
import { isLoopback } from "../../src/cli/serving/address-here.ts";
import { demoSignIns, hasPublishedPassword } from "../../src/cli/serving/demo-passwords.ts";
import { type DemoState, readDemoState, streetsName, writeDemoState } from "../../src/cli/serving/demo-state.ts";
import { people } from "../../src/simulator/fleet/records.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { openDatabase } from "../../src/store/open.ts";
import { everyRow } from "../support/catalog.ts";
import { type FleetRecord, load } from "../support/fleet.ts";
import { runOdograph, startOdograph } from "../support/program.ts";
import { newPath } from "./outcome.ts";

const directories: string[] = [];

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "odograph-"));
  directories.push(directory);
  return join(directory, "demo");
}

const small = ["--vehicles", "3", "--days", "1"];
const published = Object.values(people).map(({ password }) => password);

function demoIn(directory: string, ...more: string[]) {
  return ["demo", "--data", directory, "--port", "0", "--ingest-port", "0", ...more];
}

/** The curl lines that were printed, as requests. */
function printedCalls(text: string): { url: string; key: string }[] {
  return [...text.matchAll(/curl -H 'X-API-Key: (\S+)' '(\S+)'/g)].map(([, key = "", url = ""]) => ({ key, url }));
}

/** What the first start of a demo leaves behind, and showed: most tests go on from there. */
interface MadeDemo {
  readonly directory: string;
  readonly stdout: string;
  readonly devices: number;
  readonly trips: number;
  /** Who could sign in with the published passwords. */
  readonly signedIn: readonly boolean[];
}

async function makeDemo(): Promise<MadeDemo> {
  const directory = await newPath("demo");
  const program = await startOdograph(demoIn(directory, ...small));
  const { key, from } = JSON.parse(await readFile(join(directory, "demo.json"), "utf8"));
  const count = async (path: string) => {
    const response = await fetch(`${program.url}/v1${path}`, { headers: { "X-API-Key": key } });
    return ((await response.json()) as { data: unknown[] }).data.length;
  };
  const devices = await count("/devices");
  const trips = await count(`/trips?from=${new Date(from).toISOString()}`);
  const signedIn = await whoIsIn(program.url, published);
  const { code, stdout } = await program.stop();
  expect(code).toBe(0);
  return { directory, stdout, devices, trips, signedIn };
}

let made: Promise<MadeDemo> | undefined;
afterAll(async () => {
  if (made) await rm(join((await made).directory, ".."), { recursive: true, force: true });
});

/** A copy of it, in a directory of the test's own. */
async function copiedDemo(): Promise<MadeDemo> {
  made ??= makeDemo();
  const directory = await emptyDirectory();
  await cp((await made).directory, directory, { recursive: true });
  return { ...(await made), directory };
}

test("the demo makes a fleet with history, prints calls that work, and goes on at the next start", async () => {
  const { directory, stdout, devices, trips } = await copiedDemo();
  expect(devices).toBe(3);
  expect(trips).toBeGreaterThan(0);
  const calls = printedCalls(stdout);
  expect(calls).toHaveLength(3);
  expect((await stat(join(directory, "demo.json"))).mode & 0o077).toBe(0);

  const second = await startOdograph(demoIn(directory));
  for (const { key, url } of calls) {
    const { pathname, search } = new URL(url);
    const response = await fetch(`${second.url}${pathname}${search}`, { headers: { "X-API-Key": key } });
    expect(response.status).toBe(200);
    expect(((await response.json()) as { data: unknown[] }).data.length).toBeGreaterThan(0);
  }
  const beside = await runOdograph(demoIn(directory));
  expect(beside).toMatchObject({ code: 1, stdout: "" });
  expect(beside.stderr).toContain(`another odograph serves ${directory} already`);
  const { code, stderr } = await second.stop();
  expect(code).toBe(0);
  expect(stderr).not.toContain('"level":"warn"');
});

test("the demo draws its own streets on the portal's map, and others with --map-tiles", async () => {
  const { directory } = await copiedDemo();
  const tilesOf = async (...more: string[]) => {
    const program = await startOdograph(demoIn(directory, ...more));
    try {
      const signedIn = await fetch(`${program.url}/portal/api/session`, {
        method: "POST",
        headers: { "X-Odograph-Portal": "1", Origin: program.url },
        body: JSON.stringify({ email: people.owner.email, password: people.owner.password }),
      });
      const { map } = (await signedIn.json()) as { map: { tiles: { url: string } | null; problem: string | null } };
      // Berlin.
      const path = map.tiles?.url.replace("{z}/{x}/{y}", "9/275/167") ?? "/portal/tiles/none/9/275/167";
      const headers = { Cookie: signedIn.headers.get("Set-Cookie")?.split(";")[0] ?? "" };
      const tile = await fetch(program.url + path, { headers });
      return { url: map.tiles?.url ?? null, problem: map.problem, status: tile.status };
    } finally {
      await program.stop();
    }
  };
  const writtenAt = (await stat(join(directory, streetsName))).mtimeMs;
  expect(await tilesOf()).toMatchObject({ problem: null, status: 200 });
  // The same streets are not written again, so what browsers have cached stays of use.
  expect((await stat(join(directory, streetsName))).mtimeMs).toBe(writtenAt);
  const missing = join(directory, "missing.pmtiles");
  expect(await tilesOf("--map-tiles", missing)).toEqual({ url: null, problem: "tiles_unusable", status: 503 });
});

test("another fleet needs --reset, and one that is out of bounds is refused", async () => {
  const { directory } = await copiedDemo();
  const other = await runOdograph(demoIn(directory, "--vehicles", "5"));
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("--vehicles: the existing demo has 3; add --reset to create a new one");
  const renewed = await startOdograph(demoIn(directory, "--reset", "--vehicles", "2", "--days", "1"));
  const { key } = JSON.parse(await readFile(join(directory, "demo.json"), "utf8"));
  const answer = await fetch(`${renewed.url}/v1/devices`, { headers: { "X-API-Key": key } });
  expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(2);
  await renewed.stop();
  const many = await runOdograph(demoIn(await emptyDirectory(), "--vehicles", "5001"));
  expect(many).toMatchObject({
    code: 2,
    stderr: 'odograph: --vehicles: expected a whole number from 1 to 5000, got "5001"\n',
  });
});

test("real data is neither joined nor forgotten", async () => {
  const directory = await emptyDirectory();
  const account = JSON.stringify({ type: "account", id: "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001", name: "Ours" });
  expect((await runOdograph(["load", "-", "--data", directory], { input: account })).code).toBe(0);
  for (const more of [[], ["--reset"]]) {
    const refused = await runOdograph(demoIn(directory, ...more));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(
      `odograph: ${directory} holds data that is not a demo; choose another directory with --data\n`,
    );
  }
  const again = await runOdograph(["load", "-", "--data", directory, "--json"], { input: account });
  expect(JSON.parse(again.stdout)).toMatchObject({ accounts: { added: 0, unchanged: 1 } });
});

test("what the demo stores of itself is replaced as a whole, so one that is killed leaves no half of it", async () => {
  const directory = await emptyDirectory();
  const old = { seed: 1, vehicles: 1, days: 1, from: 0, key: "", token: "", historyFrom: null, isComplete: false };
  await writeDemoState(directory, old);
  // The old file by another name: it is not written to.
  const kept = join(directory, "..", "kept.json");
  await link(join(directory, "demo.json"), kept);
  await writeDemoState(directory, { ...old, isComplete: true });
  expect(JSON.parse(await readFile(kept, "utf8"))).toEqual(old);
  expect(await readDemoState(directory)).toEqual({ ...old, isComplete: true });
  expect(await readdir(directory)).toEqual(["demo.json"]);
});

/** Nobody's, so a server cannot listen on it. Others could reach it, for all the program knows. */
const elsewhere = "192.0.2.1";

async function signInStatus(url: string, email: string, password: string): Promise<number> {
  const headers = { "X-Odograph-Portal": "1", Origin: url, "Content-Type": "application/json" };
  const body = JSON.stringify({ email, password });
  const { status } = await fetch(`${url}/portal/api/session`, { method: "POST", headers, body });
  // On a busy machine a stranger's password may have to wait for the others.
  return status === 503 ? signInStatus(url, email, password) : status;
}

/** Whether the owner, and each of the two sub-accounts, can sign in with these passwords. */
async function whoIsIn(url: string, passwords: readonly string[]): Promise<boolean[]> {
  const emails = Object.values(people).map(({ email }) => email);
  const statuses = await Promise.all(emails.map((email, index) => signInStatus(url, email, passwords[index] ?? "")));
  return statuses.map((status) => status === 200);
}

test("what only this machine can reach is known, however it is written", async () => {
  const own = ["127.0.0.1", "127.8.9.10", "127.1", "::1", "localhost", "::ffff:127.0.0.1", "::ffff:7f00:1"];
  const others = [
    "0.0.0.0",
    "::",
    "0",
    "10.0.0.1",
    elsewhere,
    "::ffff:10.0.0.1",
    "2001:db8::1",
    "[::1]",
    "no.such.invalid",
  ];
  for (const host of own) expect([host, await isLoopback(host)]).toEqual([host, true]);
  for (const host of others) expect([host, await isLoopback(host)]).toEqual([host, false]);
});

test("where others can reach the demo, its published passwords are replaced before it is served", async () => {
  const { directory, stdout: first, signedIn } = await copiedDemo();
  expect(signedIn).toEqual([true, true, true]);
  expect(first).toContain(`${people.owner.email} with the password ${people.owner.password}\n`);

  const open = ["serve", "--data", directory, "--port", "0", "--ingest-port", "0", "--host", elsewhere];
  const refused = await runOdograph(open);
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain(`${directory} holds a demo with its published password`);

  // The address cannot be had, but the passwords are gone by then.
  expect(await runOdograph(demoIn(directory, "--host", elsewhere))).toMatchObject({ code: 2, stdout: "" });
  const second = await startOdograph(demoIn(directory));
  expect(await whoIsIn(second.url, published)).toEqual([false, false, false]);
  const { stdout } = await second.stop();
  expect(stdout).toContain(
    `${people.owner.email} with the password shown or chosen before; --new-password creates another`,
  );
});

test("new passwords are the same for all of the demo's people, stored as hashes only, and end sessions", async () => {
  const directory = await emptyDirectory();
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  try {
    const users = createWorld({ seed: 1, vehicles: 1, from: 0 }).fleet.slice(0, 4);
    await load(database, users as FleetRecord[], Date.now());
    const published = await demoSignIns(database, { isPublic: false, isRenewed: false });
    const unchanged = Object.values(people).map(({ email, password }) => ({ email, password, isNew: false }));
    expect(published).toEqual(unchanged);
    expect(await hasPublishedPassword(database)).toBe(true);

    const signIn = new SignIn(database);
    const { signal } = new AbortController();
    const from = { address: "::1", oldToken: null, browserProofs: null, browser: null, language: null, signal };
    const signedIn = await signIn.signIn({ ...people.owner, ...from }, Date.now());
    const token = signedIn.outcome === "signed in" ? signedIn.token : "";
    expect(await new Sessions(database).find(token, Date.now())).not.toBeNull();

    const fresh = await demoSignIns(database, { isPublic: true, isRenewed: false });
    const password = fresh[0]?.password ?? "";
    expect(password).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(fresh).toEqual(unchanged.map(({ email }) => ({ email, password, isNew: true })));
    expect(await hasPublishedPassword(database)).toBe(false);
    expect(await new Sessions(database).find(token, Date.now())).toBeNull();
    expect(JSON.stringify(await everyRow(database))).not.toContain(password);
    const request = { email: people.cold.email, password, ...from };
    expect((await signIn.signIn(request, Date.now())).outcome).toBe("signed in");
    // What a person has chosen, or was shown before, stays, unless a new one is asked for.
    const later = await demoSignIns(database, { isPublic: true, isRenewed: false });
    expect(later).toEqual(unchanged.map(({ email }) => ({ email, password: null, isNew: false })));
    const renewed = await demoSignIns(database, { isPublic: false, isRenewed: true });
    expect(renewed.map(({ isNew }) => isNew)).toEqual([true, true, true]);
    expect(renewed[0]?.password).not.toBe(password);
    const text = demoText("http://x", { key: "", vehicles: 1, days: 1 } as DemoState, null, renewed);
    expect(text).toContain(
      `${people.owner.email} with the password ${renewed[0]?.password} (new, and not shown again)`,
    );
    expect(text).toContain(`${people.cold.email} with the password ${renewed[0]?.password}`);
    expect(text).toStartWith("1 vehicle is driving, with a day of history.\n");
    const rest = demoText("http://x", { key: "", vehicles: 40, days: 14 } as DemoState, { days: 14, days_made: 3 }, []);
    expect(rest).toStartWith("40 vehicles are driving, with 3 days of history; 11 more are being made meanwhile.\n");
  } finally {
    await database.close();
  }
});

test("the fleet file that simulate prints holds no password", async () => {
  const { stdout, code } = await runOdograph(["simulate", "--fleet", "--vehicles", "2"]);
  expect(code).toBe(0);
  for (const { email, password } of Object.values(people)) {
    expect(stdout).toContain(email);
    expect(stdout).not.toContain(password);
  }
});

test("says which port is in use, and which it takes instead", () => {
  const note = (port: number, ingestPort: number) =>
    portsNote({ wanted: 8080, taken: port }, { wanted: 8081, taken: ingestPort });
  expect(note(8080, 8081)).toBeNull();
  expect(note(8080, 8082)).toBe("port 8081 is in use, so the demo takes 8082 for --ingest-port");
  // It takes 8081 itself.
  expect(note(8081, 8082)).toBe("port 8080 is in use, so the demo takes 8081 for --port and 8082 for --ingest-port");
  expect(note(8082, 8083)).toBe(
    "port 8080 is in use and port 8081 is in use, so the demo takes 8082 for --port and 8083 for --ingest-port",
  );
});
