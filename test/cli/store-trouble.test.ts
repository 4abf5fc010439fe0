import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fleetText, smallFleet } from "../support/fleet.ts";
import { freePort } from "../support/free-port.mjs";
import { complaint, newPath } from "./outcome.ts";

test("commands that need a fleet say that there is none, and make none", async () => {
  const data = await newPath("data");
  const messages = await Promise.all(
    [
      ["keys", "list"],
      ["ingest-tokens", "list"],
      ["keys", "create", "--user", "a@b.test", "--name", "x", "--scopes", "all"],
      ["rederive"],
      ["import", "-", "--imei", "356307042441013"],
      ["alerts", "acknowledge", "5a0f6a52-6c1e-4d0f-9f53-0d3f1c7a1001", "--user", "a@b.test"],
    ].map((args) => complaint([...args, "--data", data], 1)),
  );
  const text = `there is no database in ${data}: \`odograph load\` or \`odograph serve\` makes one`;
  expect(messages).toEqual(messages.map(() => text));
  expect(existsSync(data)).toBe(false);
});

test("a file that is no database is refused by every command, and left as it is", async () => {
  const data = await newPath("data");
  const path = join(data, "odograph.db");
  await mkdir(data);
  await writeFile(path, "another program's notes\n".repeat(300));
  const input = fleetText([smallFleet.acme]);
  const calls = [
    ["load", "-"],
    ["keys", "list"],
    ["serve", "--port", "0", "--ingest-port", "0"],
  ];
  const messages = await Promise.all(calls.map((args) => complaint([...args, "--data", data], 1, { input })));
  expect(messages).toEqual(calls.map(() => `the database ${path} is not a database`));
  expect(await Bun.file(path).text()).toBe("another program's notes\n".repeat(300));
});

test("a PostgreSQL that does not answer is reported at once, without its password", async () => {
  const port = await freePort();
  const env = { DATABASE_URL: `postgres://fleet:hunter2@127.0.0.1:${port}/odograph` };
  const calls = [
    ["keys", "list"],
    ["serve", "--port", "0", "--ingest-port", "0"],
  ];
  const messages = await Promise.all(calls.map((args) => complaint(args, 1, { env })));
  const text = `PostgreSQL does not answer at 127.0.0.1:${port}: start it, or check DATABASE_URL`;
  expect(messages).toEqual(calls.map(() => text));
});
