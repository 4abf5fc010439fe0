import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uuid } from "../support/fleet.ts";
import { complaint } from "./outcome.ts";

const key = ["keys", "create", "--user", "a@b.test", "--name", "x"];

const wrongCalls: readonly [readonly string[], string][] = [
  [[], "no command is given; `odograph help` lists them"],
  [["fly"], 'there is no command "fly"; there are serve, load,'],
  [["help", "load", "keys"], '"keys" is one argument too many'],
  [["version", "--josn"], "unknown option '--josn'"],
  [["version", "--json=yes"], "option '--json' does not take an argument"],
  [["version", "--json", "--json"], "--json is given twice"],
  [["config", "--port"], "option '--port <value>' argument missing"],
  [["config", "--data", ""], "--data needs a value"],
  [["load"], "FILE|- is missing"],
  [["load", "a", "b"], '"b" is one argument too many'],
  [["load", "-", "--port", "1"], "unknown option '--port'"],
  [["keys"], "keys is followed by what to do: `odograph keys create`, `odograph keys list`, `odograph keys revoke`"],
  [["keys", "make"], "keys is followed by what to do: `odograph keys create`"],
  [["keys", "create", "--name", "x", "--scopes", "all"], "--user is missing"],
  [["keys", "create", "--user", "a@b.test", "--scopes", "all"], "--name is missing"],
  [key, "--scopes is missing"],
  [[...key, "--scopes", "trips:read,fly"], "--scopes: expected all or some of devices:read, "],
  [[...key, "--scopes", "trips:read,"], 'reports:read, got ""'],
  [[...key, "--scopes", "all", "--per-second", "0"], '--per-second: expected a whole number from 1, got "0"'],
  [[...key, "--scopes", "all", "--per-day", "1.5"], '--per-day: expected a whole number from 1, got "1.5"'],
  [[...key, "--scopes", "all", "--expires", "tomorrow"], "--expires: expected a time such as 2027-01-31 or "],
  [["keys", "revoke"], "ID is missing"],
  [["keys", "revoke", "7"], 'ID: expected a UUID, got "7"'],
  [["ingest-tokens"], "ingest-tokens is followed by what to do: `odograph ingest-tokens create`"],
  [["ingest-tokens", "create", "--account", uuid(1)], "--name is missing"],
  [["ingest-tokens", "create", "--account", "Acme", "--name", "x"], '--account: expected a UUID, got "Acme"'],
  [["ingest-tokens", "list", "--account", "Acme"], '--account: expected a UUID, got "Acme"'],
  [["ingest-tokens", "revoke", "x"], 'ID: expected a UUID, got "x"'],
  [["serve", "now"], '"now" is one argument too many'],
];

const wrongSettings: readonly [readonly string[], Record<string, string>, string][] = [
  [["serve", "--port", "70000"], {}, '--port: expected a port from 0 to 65535, got "70000"'],
  [["serve", "--ingest-port", "-1"], {}, "ingest-port"],
  [["serve", "--ingest-port", "http"], {}, '--ingest-port: expected a port from 0 to 65535, got "http"'],
  [["serve", "--host", "a b"], {}, '--host: expected an address or a host name, got "a b"'],
  [["serve", "--log-level", "loud"], {}, '--log-level: expected one of debug, info, warn, error, got "loud"'],
  [["serve"], { ODOGRAPH_PORT: "1e3" }, 'ODOGRAPH_PORT: expected a port from 0 to 65535, got "1e3"'],
  [["serve"], { ODOGRAPH_LOG_FORMAT: "xml" }, 'ODOGRAPH_LOG_FORMAT: expected one of auto, json, human, got "xml"'],
  [["config"], { ODOGRAPH_INGEST_PORT: " 1" }, 'ODOGRAPH_INGEST_PORT: expected a port from 0 to 65535, got " 1"'],
  [["keys", "list"], { DATABASE_URL: "mysql://u:hunter2@h/d" }, "DATABASE_URL: expected postgres://"],
  [["load", "-"], { DATABASE_URL: "postgres://u:hunter2@h" }, "DATABASE_URL: expected postgres://"],
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
  const told = await complaint(["serve", "--port", "x"], 2, { env: { ODOGRAPH_PORT: "y" } });
  expect(told).toContain('--port: expected a port from 0 to 65535, got "x"');
});
