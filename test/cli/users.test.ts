import { expect, test } from "bun:test";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findLink } from "../../src/access/one-time-links.ts";
import { readSettings } from "../../src/cli/settings/settings.ts";
import { sql } from "../../src/store/sql.ts";
import { type EngineUnderTest, onEachEngine } from "../support/engines.ts";
import { load, smallFleet } from "../support/fleet.ts";
import { runOdograph } from "../support/program.ts";
import { complaint, newPath, output } from "./outcome.ts";

const { olga, ann } = smallFleet;
const address = /^http:\/\/127\.0\.0\.1:8080\/portal\/link#([\w-]{43})\n$/;

async function storeWithFleet(engine: EngineUnderTest) {
  const store = await engine.fresh();
  await load(store.database, Object.values(smallFleet));
  return store;
}

onEachEngine("odograph users", (engine) => {
  test("lists users with their accounts, without anything secret", async () => {
    const store = await storeWithFleet(engine);
    const users = JSON.parse(await output(["users", "list", "--json"], store));
    expect(users.map(({ email, role, account }: Record<string, string>) => [email, role, account])).toEqual([
      ["olga@acme.test", "owner", "Acme"],
      ["ann@acme.test", "sub_account", "Acme"],
      ["bob@acme.test", "sub_account", "Acme"],
      ["rita@rival.test", "owner", "Rival"],
    ]);
    expect(users[0]).toMatchObject({ status: "active", has_password: false, last_login_at: null });
    const table = (await output(["users", "list"], store)).split("\n");
    expect(table[0]).toMatch(/^EMAIL +NAME +ROLE +ACCOUNT +STATUS +CONFIRMED +LAST SIGN-IN$/);
    expect(table[1]).toMatch(/^olga@acme\.test +Olga +owner +Acme +no password +no +-$/);
  });

  test("confirms an address, which a fleet file keeps as long as it names the same", async () => {
    const store = await storeWithFleet(engine);
    const confirmed = async () => {
      const users: { email: string; is_email_confirmed: boolean }[] = JSON.parse(
        await output(["users", "list", "--json"], store),
      );
      return users.filter((user) => user.is_email_confirmed).map(({ email }) => email);
    };
    expect(await confirmed()).toEqual([]);
    for (const words of ["is confirmed.", "was confirmed before."]) {
      const { code, stderr } = await runOdograph(["users", "confirm", olga.email], store);
      expect([code, stderr]).toEqual([0, expect.stringContaining(words)]);
    }
    expect(await complaint(["users", "confirm", "nobody@acme.test"], 1, store)).toContain("there is no user");
    const log = await store.database.all<{ actor: string; id: string; details_json: string }>(
      sql`select actor, id, details_json from audit_log where action = 'email.confirmed'`,
    );
    expect(log).toEqual([{ actor: "command", id: olga.id, details_json: '{"via":"command"}' }]);

    const loaded = async (changed: object) => {
      await load(store.database, [{ ...olga, ...changed }]);
      return confirmed();
    };
    expect(await loaded({ name: "Olga the owner" })).toEqual([olga.email]);
    expect(await loaded({ email: "olga@other.test" })).toEqual([]);
    expect(await loaded({})).toEqual([]);
  });

  test("writes a link to a new file that only its owner can read, and nowhere else", async () => {
    const store = await storeWithFleet(engine);
    const file = join(store.directory, "link.txt");
    const call = ["users", "reset", olga.email, "--out", file];
    const { code, stdout, stderr } = await runOdograph(call, store);
    expect([code, stdout]).toEqual([0, ""]);
    const text = await readFile(file, "utf8");
    const token = address.exec(text)?.[1] ?? "";
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(stderr).toContain(`The link for ${olga.email} is in ${file}. It works once, for 7 days.`);
    expect(stderr).not.toContain(token);
    const found = await findLink(store.database, token, ["invitation", "reset"], Date.now());
    expect([found?.user_id, found?.purpose]).toEqual([olga.id, "invitation"]);
    const log = await store.database.all<{ actor: string; action: string; id: string }>(
      sql`select actor, action, id from audit_log where type = 'link'`,
    );
    expect(log).toEqual([{ actor: "command", action: "link.created", id: olga.id }]);
    // A file that is there may be readable for others. The link that was made stays.
    expect(await complaint(call, 1, store)).toContain("exists already");
    expect(await findLink(store.database, token, ["invitation"], Date.now())).not.toBeNull();
  });

  test("prints no link to what is not a terminal", async () => {
    const store = await storeWithFleet(engine);
    const said = await complaint(["users", "reset", olga.email], 2, store);
    expect(said).toBe("the link is printed to a terminal only; --out FILE writes it to a file");
    expect(await store.database.all(sql`select * from one_time_links`)).toEqual([]);
  });

  test("makes none for a user who is not there or may not sign in", async () => {
    const store = await storeWithFleet(engine);
    await load(store.database, [{ ...ann, status: "disabled" }]);
    const file = join(store.directory, "link.txt");
    expect(await complaint(["users", "reset", "x@y.test", "--out", file], 1, store)).toContain("there is no user");
    expect(await complaint(["users", "reset", ann.email, "--out", file], 1, store)).toContain("is disabled");
    const url = ["--public-url", "https://fleet.example/"];
    await runOdograph(["users", "reset", olga.email, "--out", file, ...url], store);
    expect(await readFile(file, "utf8")).toStartWith("https://fleet.example/portal/link#");
  });
});

test("the mail server's password comes from the environment or a file, and needs what mails need", async () => {
  const flags = { smtp: "smtp://me@mail.example", "mail-from": "fleet@example.com", "public-url": "https://f.example" };
  expect(readSettings({}, {}).mail).toBeNull();
  expect(readSettings(flags, { ODOGRAPH_SMTP_PASSWORD: "x y" }).mail).toMatchObject({ password: "x y" });
  const file = await newPath("password");
  await writeFile(file, "from the file\n", { mode: 0o600 });
  expect(readSettings(flags, { ODOGRAPH_SMTP_PASSWORD_FILE: file }).mail).toMatchObject({ password: "from the file" });
  const both = { ODOGRAPH_SMTP_PASSWORD: "x", ODOGRAPH_SMTP_PASSWORD_FILE: file };
  expect(() => readSettings(flags, both).mail).toThrow("both set");
  expect(() => readSettings(flags, { ODOGRAPH_SMTP_PASSWORD_FILE: `${file}-not` }).mail).toThrow("cannot be read");
  expect(() => readSettings(flags, {}).mail).toThrow("--smtp names a user, so it needs the password");
  expect(readSettings({ ...flags, smtp: "smtp://mail.example" }, {}).mail).toMatchObject({ password: null });
  expect(() => readSettings({ "mail-from": "fleet@example.com" }, {}).mail).toThrow("--mail-from needs --smtp");
  expect(() => readSettings({ smtp: flags.smtp }, {}).mail).toThrow("--smtp needs --mail-from and --public-url");
  const wrong = { ...flags, smtp: "smtp://me:hunter2@mail.example" };
  expect(() => readSettings(wrong, {}).mail).toThrow(/^--smtp: expected smtp:(?!.*hunter2)/);
  expect(() => readSettings({ ...flags, "mail-from": "nobody" }, {}).mail).toThrow("--mail-from: expected");
  await rm(dirname(file), { recursive: true });
});
