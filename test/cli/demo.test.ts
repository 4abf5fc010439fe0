import { afterEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runOdograph, startOdograph } from "../support/program.ts";

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

function demoIn(directory: string, ...more: string[]) {
  return ["demo", "--data", directory, "--port", "0", "--ingest-port", "0", ...more];
}

/** The curl lines that were printed, as requests. */
function printedCalls(text: string): { url: string; key: string }[] {
  return [...text.matchAll(/curl -H 'X-API-Key: (\S+)' '(\S+)'/g)].map(([, key = "", url = ""]) => ({ key, url }));
}

test("the demo makes a fleet with history, prints calls that work, and goes on at the next start", async () => {
  const directory = await emptyDirectory();
  const first = await startOdograph(demoIn(directory, ...small));
  const state = JSON.parse(await readFile(join(directory, "demo.json"), "utf8"));
  const headers = { "X-API-Key": state.key };
  const devices = (await (await fetch(`${first.url}/v1/devices`, { headers })).json()) as { data: unknown[] };
  expect(devices.data).toHaveLength(3);
  const from = new Date(state.from).toISOString();
  const trips = (await (await fetch(`${first.url}/v1/trips?from=${from}`, { headers })).json()) as { data: unknown[] };
  expect(trips.data.length).toBeGreaterThan(0);
  const { code, stdout } = await first.stop();
  expect(code).toBe(0);
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
  expect((await second.stop()).code).toBe(0);
});

test("another fleet needs --reset, and one that is out of bounds is refused", async () => {
  const directory = await emptyDirectory();
  await (await startOdograph(demoIn(directory, ...small))).stop();
  const other = await runOdograph(demoIn(directory, "--vehicles", "5"));
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("--vehicles: the demo that is there has 3; --reset makes a new one");
  const renewed = await startOdograph(demoIn(directory, "--reset", "--vehicles", "2", "--days", "1"));
  const { key } = JSON.parse(await readFile(join(directory, "demo.json"), "utf8"));
  const answer = await fetch(`${renewed.url}/v1/devices`, { headers: { "X-API-Key": key } });
  expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(2);
  await renewed.stop();
  const many = await runOdograph(demoIn(await emptyDirectory(), "--vehicles", "5001"));
  expect(many).toMatchObject({
    code: 2,
    stderr: "odograph: --vehicles: expected a whole number from 1 to 5000, got 5001\n",
  });
});

test("somebody's own data is neither joined nor forgotten", async () => {
  const directory = await emptyDirectory();
  const account = JSON.stringify({ type: "account", id: "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001", name: "Ours" });
  expect((await runOdograph(["load", "-", "--data", directory], { input: account })).code).toBe(0);
  for (const more of [[], ["--reset"]]) {
    const refused = await runOdograph(demoIn(directory, ...more));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(
      `odograph: ${directory} holds data that is not a demo's; name another directory with --data\n`,
    );
  }
  const again = await runOdograph(["load", "-", "--data", directory, "--json"], { input: account });
  expect(JSON.parse(again.stdout)).toMatchObject({ accounts: { added: 0, unchanged: 1 } });
});

test("a demo that was killed while it made its history makes the rest", async () => {
  const directory = await emptyDirectory();
  const child = startOdograph(demoIn(directory, "--vehicles", "8", "--days", "2"));
  child.catch(() => {});
  const begun = async () => {
    const text = await readFile(join(directory, "demo.json"), "utf8").catch(() => "{}");
    return (JSON.parse(text) as { isComplete?: boolean }).isComplete === false;
  };
  while (!(await begun())) await Bun.sleep(5);
  const killed = await child.then(
    async (program) => program.kill(),
    () => {},
  );
  expect(killed).toBeUndefined();
  const again = await startOdograph(demoIn(directory));
  expect(JSON.parse(await readFile(join(directory, "demo.json"), "utf8"))).toMatchObject({ isComplete: true });
  await again.stop();
});
