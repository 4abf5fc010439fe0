import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { complaint, output } from "./outcome.ts";

const key = ["keys", "create", "--user", "a@b.test", "--name", "x"];

const wrongCalls: readonly [readonly string[], string][] = [
  [[], "COMMAND is missing; `odograph help` lists the commands"],
  [["fly"], 'unknown command "fly"; the commands are demo, serve, healthy, load,'],
  [["version", "--josn"], "unknown option '--josn'; see `odograph help version`"],
  [["--data", "x", "serve"], 'unknown command "--data": options come after the command; the commands are demo,'],
  [["config", "--data", ""], "--data needs a value"],
  [["load"], "FILE is missing: name a file, or - for standard input"],
  [["keys"], "keys needs an action: `odograph keys create`, `odograph keys list`, `odograph keys revoke`"],
  [["keys", "create", "--name", "x", "--scopes", "all"], "--user is missing"],
  [key, "--scopes is missing"],
  [[...key, "--scopes", "trips:read,fly"], "--scopes: expected all or some of devices:read, "],
  [
    [...key, "--scopes", "all", "--per-second", "0"],
    '--per-second: expected a whole number from 1 to 1000000000, got "0"',
  ],
  [
    [...key, "--scopes", "all", "--per-day", "1000000001"],
    '--per-day: expected a whole number from 1 to 1000000000, got "1000000001"',
  ],
  [[...key, "--scopes", "all", "--expires", "tomorrow"], "--expires: expected a time such as 2027-01-31 or "],
  [["keys", "revoke", "7"], 'ID: expected a UUID, got "7"'],
  [["import", "x.gpx"], "--imei is missing"],
  [["import", "x.gpx", "--imei", "van"], '--imei: expected an IMEI, 14 to 16 digits, got "van"'],
  [["rederive", "--from", "spring"], "--from: expected a time such as 2027-01-31 or "],
  [["alerts"], "alerts needs an action: `odograph alerts acknowledge`"],
  [["alerts", "acknowledge", "--user", "a@b.test"], "ID is missing"],
  [["backup"], "FILE is missing"],
  [["restore", "a", "b"], 'unexpected argument "b"; see `odograph help restore`'],
  [["ingest-tokens", "create", "--account", "Acme", "--name", "x"], '--account: expected a UUID, got "Acme"'],
];

const wrongSettings: readonly [readonly string[], Record<string, string>, string][] = [
  [["serve", "--ingest-port", "http"], {}, '--ingest-port: expected a port from 0 to 65535, got "http"'],
  [["serve", "--host", "a b"], {}, '--host: expected an address or a host name, got "a b"'],
  [["serve"], { ODOGRAPH_PORT: "1e3" }, 'ODOGRAPH_PORT: expected a port from 0 to 65535, got "1e3"'],
  [
    ["serve", "--ingest-url", "https://ingest.example.com/?token=1"],
    {},
    '--ingest-url: expected an http:// or https:// address without a query, such as https://ingest.example.com, got "https://ingest.example.com/?token=1"',
  ],
  [["config"], { ODOGRAPH_INGEST_PORT: " 1" }, 'ODOGRAPH_INGEST_PORT: expected a port from 0 to 65535, got " 1"'],
  [["keys", "list"], { DATABASE_URL: "mysql://u:hunter2@h/d" }, "DATABASE_URL: expected postgres://"],
  [["load", "-"], { DATABASE_URL: "host=h user=u password=hunter2" }, "DATABASE_URL: expected postgres://"],
  [
    ["load", "-"],
    { DATABASE_URL: "postgres://u:hunter2@h/d", ODOGRAPH_DATABASE_POOL: "0" },
    'ODOGRAPH_DATABASE_POOL: expected a whole number from 1 to 1000, got "0"',
  ],
];

test("a wrong call is one line that says what is wrong, exit code 2, and touches nothing", async () => {
  const data = join(await mkdtemp(join(tmpdir(), "odograph-")), "data");
  const told = await Promise.all(wrongCalls.map(([args]) => complaint(args, 2, { env: { ODOGRAPH_DATA: data } })));
  for (const [index, [, text]] of wrongCalls.entries()) expect(told[index]).toContain(text);
  expect(existsSync(data)).toBe(false);
});

test("a wrong setting is one line that names the flag or the variable, exit code 2, and no password", async () => {
  const data = join(await mkdtemp(join(tmpdir(), "odograph-")), "data");
  const told = await Promise.all(
    wrongSettings.map(([args, env]) => complaint(args, 2, { env: { ODOGRAPH_DATA: data, ...env } })),
  );
  for (const [index, [, , text]] of wrongSettings.entries()) {
    expect(told[index]).toContain(text);
    expect(told[index]).not.toContain("hunter2");
  }
  expect(existsSync(data)).toBe(false);
});

test("a flag goes before the environment, so a wrong variable does not matter beside it", async () => {
  const env = { ODOGRAPH_PORT: "y" };
  expect(await complaint(["config", "--port", "x"], 2, { env })).toContain("--port: expected a port from 0 to 65535");
  expect(await output(["config", "--port", "1"], { env })).toMatch(/ --port +1 +flag\n/);
});
