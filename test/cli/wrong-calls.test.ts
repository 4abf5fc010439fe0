import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileFailure } from "../../src/cli/common/output-file.ts";
import { complaint, newPath, output } from "./outcome.ts";

const key = ["keys", "create", "--user", "a@b.test", "--name", "x"];

const wrongCalls: readonly [readonly string[], string][] = [
  [[], "COMMAND is missing; `odograph help` lists the commands"],
  [["fly"], 'unknown command "fly"; the commands are demo, serve, healthy, load,'],
  [["version", "--josn"], "unknown option '--josn'; see `odograph help version`"],
  [["--data", "x", "serve"], 'unknown command "--data": options come after the command; the commands are demo,'],
  [["config", "--data", ""], "--data needs a value"],
  [["config", "--oidc-client-secret", "hunter2"], "unknown option '--oidc-client-secret'"],
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
  [["serve", "--trust-clock", "maybe"], {}, '--trust-clock: expected yes or no, got "maybe"'],
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
  const data = await newPath("data");
  const messages = await Promise.all(wrongCalls.map(([args]) => complaint(args, 2, { env: { ODOGRAPH_DATA: data } })));
  for (const [index, [, text]] of wrongCalls.entries()) expect(messages[index]).toContain(text);
  expect(existsSync(data)).toBe(false);
});

test("a wrong setting is one line that names the flag or the variable, exit code 2, and no password", async () => {
  const data = await newPath("data");
  const messages = await Promise.all(
    wrongSettings.map(([args, env]) => complaint(args, 2, { env: { ODOGRAPH_DATA: data, ...env } })),
  );
  for (const [index, [, , text]] of wrongSettings.entries()) {
    expect(messages[index]).toContain(text);
    expect(messages[index]).not.toContain("hunter2");
  }
  expect(existsSync(data)).toBe(false);
});

test("a flag goes before the environment, so a wrong variable does not matter beside it", async () => {
  const env = { ODOGRAPH_PORT: "y" };
  expect(await complaint(["config", "--port", "x"], 2, { env })).toContain("--port: expected a port from 0 to 65535");
  expect(await output(["config", "--port", "1"], { env })).toMatch(/ --port +1 +flag\n/);
});

test("a file that cannot be opened is one line that names it, whichever command it is for", async () => {
  const directory = await mkdtemp(join(tmpdir(), "odograph-files-"));
  const at = (name: string) => join(directory, name);
  // Also the superuser, who may read everything, can neither open a socket nor follow links in a circle.
  const socket = Bun.listen({ unix: at("socket"), socket: { data() {} } });
  await symlink("circle", at("circle"));
  await writeFile(at("plain"), "");
  const env = { ODOGRAPH_DATA: at("data") };
  try {
    const calls: [string[], string][] = [
      [["load", at("socket")], `${at("socket")} cannot be read (`],
      [["load", at("circle")], `the file ${at("circle")} cannot be read (ELOOP)`],
      [["load", at("plain/x")], `the file ${at("plain/x")} cannot be read (ENOTDIR)`],
      [["load", directory], `${directory} is a directory, not a file`],
      [["load", at("plain"), "--data", at("plain")], `${at("plain")} is not a directory`],
      [["restore", at("circle")], `the file ${at("circle")} cannot be read (ELOOP)`],
      [["restore", at("socket")], `${at("socket")} is not a file`],
      [["backup", at("copy"), "--data", at("circle")], `the data directory ${at("circle")} cannot be read (ELOOP)`],
      [["serve", "--data", at("plain"), "--port", "0", "--ingest-port", "0"], `${at("plain")} is not a directory`],
      [["demo", "--data", at("plain"), "--port", "0", "--ingest-port", "0"], `${at("plain")} is not a directory`],
    ];
    for (const [words, line] of calls) expect(await complaint(words, 1, { env })).toStartWith(line);
  } finally {
    socket.stop(true);
    await rm(directory, { recursive: true });
  }
});

test("what the system says about a file is never called an internal error", async () => {
  const directory = await mkdtemp(join(tmpdir(), "odograph-files-"));
  await mkdir(join(directory, "full"));
  const refused = await writeFile(join(directory, "full"), "").catch((error: unknown) => error);
  expect(fileFailure(refused)).toMatchObject({ message: `${join(directory, "full")} cannot be used (EISDIR)` });
  const full = await writeFile("/dev/full", "x").catch((error: unknown) => error);
  expect(fileFailure(full)?.message).toEndWith("cannot be written: the disk is full");
  for (const other of [new Error("x"), null, "x", new TypeError("y")]) expect(fileFailure(other)).toBeNull();
  await rm(directory, { recursive: true });
});
