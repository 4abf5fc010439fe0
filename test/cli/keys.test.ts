import { expect, test } from "bun:test";
import { isWellFormed } from "../../src/access/credential.ts";
import { createKey } from "../../src/access/keys.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { onEachEngine } from "../support/engines.ts";
import { load, smallFleet, uuid } from "../support/fleet.ts";
import { complaint, output, runCall } from "./outcome.ts";

const { acme, ann, bob } = smallFleet;
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const createArgs = ["keys", "create", "--user", "ANN@acme.test ", "--name", "  TMS  "];

onEachEngine("odograph keys", (engine) => {
  const loaded = engine.copies(({ database }) => load(database, Object.values(smallFleet)));

  test("creates a key and shows it once: to scripts as an object", async () => {
    const store = await loaded();
    const limits = ["--per-second", "5", "--per-day", "100", "--expires", "2099-01-31"];
    const made = JSON.parse(
      await output([...createArgs, "--scopes", "trips:read, devices:read, trips:read", ...limits, "--json"], store),
    );
    const listed = {
      id: made.id,
      name: "TMS",
      prefix: made.key.slice(0, 12),
      scopes: ["devices:read", "trips:read"],
      user: ann.email,
      account: "Acme",
      per_second: 5,
      per_day: 100,
      created_at: instant,
      expires_at: "2099-01-31T00:00:00.000Z",
      last_used_at: null,
      revoked_at: null,
    };
    expect(made).toEqual({ ...listed, key: made.key });
    expect(Object.keys(made).slice(0, 2)).toEqual(["id", "key"]);
    expect(isWellFormed("apiKey", made.key)).toBe(true);
    expect(JSON.parse(await output(["keys", "list", "--json"], store))).toEqual([listed]);
  });

  test("creates a key and shows it once: to a pipe as the key alone", async () => {
    const store = await loaded();
    const { code, stdout, stderr } = await runCall([...createArgs, "--scopes", "all"], store);
    expect(code).toBe(0);
    expect(isWellFormed("apiKey", stdout.trimEnd())).toBe(true);
    expect(stderr).toMatch(/^Key [0-9a-f-]{36} of ann@acme\.test\. It is shown only once; save it now:\n$/);
    const list = await output(["keys", "list"], store);
    expect(list).not.toContain(stdout.trimEnd());
    expect(list).toMatch(/^ID +PREFIX +NAME +CREATED BY +SCOPES +CREATED +EXPIRES +LAST USED +STATE\n/);
    expect(list).toMatch(/ TMS +ann@acme\.test +all +\S+ \S+ +- +- +active\n$/);
  });

  test("lists the keys of one user, and revokes one for good", async () => {
    const store = await loaded();
    const unset = { perSecond: null, perDay: null, expiresAt: null };
    const create = (email: string) =>
      createKey(store.database, { email, name: "x", scopes: allScopes, ...unset }, Date.now());
    const [mine, other] = [(await create(ann.email)).key, (await create(bob.email)).key];
    const listed = JSON.parse(await output(["keys", "list", "--user", "BOB@acme.test", "--json"], store));
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([other.id]);

    expect(await output(["keys", "revoke", mine.id.toUpperCase()], store)).toBe(`revoked ${mine.id} (x)\n`);
    const again = await output(["keys", "revoke", mine.id], store);
    expect(again).toMatch(
      new RegExp(`^${mine.id} was revoked already, at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ\n$`),
    );
    const json = JSON.parse(await output(["keys", "revoke", other.id, "--json"], store));
    expect(json).toMatchObject({ id: other.id, revoked_at: instant });
  });

  test("makes no more keys for a user than the setting allows", async () => {
    const store = await loaded();
    const create = ["keys", "create", "--user", ann.email, "--name", "x", "--scopes", "all", "--json"];
    await output([...create, "--max-keys-per-user", "1"], store);
    expect(await complaint(create, 1, { ...store, env: { ...store.env, ODOGRAPH_MAX_KEYS_PER_USER: "1" } })).toContain(
      "this user has 1 working key, and may have 1; revoke keys that are no longer used",
    );
    await output(create, store);
    expect(await complaint([...create, "--max-keys-per-user", "0"], 2, store)).toContain(
      "--max-keys-per-user: expected a whole number from 1 to 100000",
    );
  });

  test("says in one line why not", async () => {
    const store = await loaded();
    const messages = await Promise.all([
      complaint(["keys", "create", "--user", "x@y.test", "--name", "x", "--scopes", "all"], 1, store),
      complaint([...createArgs, "--scopes", "all", "--per-second", "21"], 2, store),
      complaint(["keys", "revoke", uuid(99)], 1, store),
    ]);
    expect(messages).toEqual([
      "there is no user with the e-mail x@y.test",
      "the account allows at most 20 requests per second",
      `there is no key with the id ${uuid(99)}`,
    ]);
  });
});

onEachEngine("odograph ingest-tokens", (engine) => {
  const loaded = engine.copies(({ database }) => load(database, Object.values(smallFleet)));

  test("creates, lists and revokes tokens of an account", async () => {
    const store = await loaded();
    const create = ["ingest-tokens", "create", "--name", "Gateway", "--account"];
    const made = JSON.parse(await output([...create, acme.id.toUpperCase(), "--json"], store));
    const listed = {
      id: made.id,
      name: "Gateway",
      prefix: made.token.slice(0, 12),
      account_id: acme.id,
      account: "Acme",
      created_at: instant,
      last_used_at: null,
      revoked_at: null,
    };
    expect(made).toEqual({ ...listed, token: made.token });
    expect(isWellFormed("ingestToken", made.token)).toBe(true);

    const plain = await runCall([...create, acme.id], store);
    expect(isWellFormed("ingestToken", plain.stdout.trimEnd())).toBe(true);
    expect(plain.stderr).toContain("It is shown only once");

    const list = JSON.parse(await output(["ingest-tokens", "list", "--account", acme.id, "--json"], store));
    expect(list).toHaveLength(2);
    expect(list[0]).toEqual(listed);
    expect(await output(["ingest-tokens", "revoke", made.id], store)).toBe(`revoked ${made.id} (Gateway)\n`);
    const table = await output(["ingest-tokens", "list"], store);
    expect(table).toMatch(/^ID +PREFIX +NAME +ACCOUNT +CREATED +LAST USED +STATE\n/);
    expect(table).toMatch(/ Gateway +Acme .* revoked\n.* Gateway +Acme .* active\n$/);
    expect(await complaint([...create, uuid(99)], 1, store)).toBe(`there is no account with the id ${uuid(99)}`);
  });
});
