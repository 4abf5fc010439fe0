import { expect, test } from "bun:test";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "../../src/cli/settings.ts";
import { runOdograph } from "../support/program.ts";

const issuer = "https://login.example/realms/fleet";
const flags = { "oidc-issuer": issuer, "oidc-client-id": "odograph" };

test("without an issuer there is no OpenID, and whatever belongs to one is refused", () => {
  expect(readSettings({}, { ODOGRAPH_OIDC_CLIENT_SECRET: "a secret" }).openId).toBeNull();
  const read =
    (flags: Record<string, string>, environment = {}) =>
    () =>
      readSettings(flags, environment).openId;
  expect(read({ "oidc-name": "Example" })).toThrow("--oidc-name needs --oidc-issuer");
  expect(read({ "oidc-client-id": "odograph" })).toThrow("--oidc-client-id needs --oidc-issuer");
  expect(read({}, { ODOGRAPH_OIDC_NAME: "Example" })).toThrow("--oidc-name needs --oidc-issuer");
});

test("the secret of an OpenID client comes from the environment or from a file, and from nowhere else", async () => {
  const expected = { issuer, clientId: "odograph", name: "OpenID" };
  const secret = "the secret of a client";
  expect(readSettings(flags, {}).openId).toEqual({ ...expected, clientSecret: null });
  const direct = { ODOGRAPH_OIDC_CLIENT_SECRET: secret };
  expect(readSettings(flags, direct).openId).toEqual({ ...expected, clientSecret: secret });
  const file = join(await mkdtemp(join(tmpdir(), "odograph-")), "secret");
  await writeFile(file, `${secret}\n`);
  const inFile = { ODOGRAPH_OIDC_CLIENT_SECRET_FILE: file };
  expect(readSettings(flags, inFile).openId).toEqual({ ...expected, clientSecret: secret });
  expect(() => readSettings(flags, { ...direct, ...inFile }).openId).toThrow("both set");

  const { stdout } = await runOdograph(["config", "--oidc-issuer", issuer, "--oidc-client-id", "odograph"], {
    env: direct,
  });
  expect(stdout).toContain(issuer);
  expect(stdout).not.toContain(secret);
  const refused = await runOdograph(["config", "--oidc-client-secret", secret]);
  expect(refused.code).toBe(2);
});

test("a secret in an address where none belongs is refused, and not repeated", async () => {
  const settings = ["oidc-issuer", "public-url", "ingest-url"] as const;
  for (const name of settings) {
    for (const secret of ["user:S3CRET", "S3CRET", ":S3CRET", "user:S3CRET@more"]) {
      const { code, stdout, stderr } = await runOdograph(["config", `--${name}`, `https://${secret}@login.example`]);
      expect([name, secret, code]).toEqual([name, secret, 2]);
      expect(stderr).toContain(`--${name}: expected`);
      expect(stdout + stderr).not.toContain("S3CRET");
    }
  }
});

test("an issuer must be a https:// address, unless it is on this machine, and needs the client's id", () => {
  const read = (text: string) => () => readSettings({ ...flags, "oidc-issuer": text }, {}).openId?.issuer;
  for (const right of [issuer, "http://127.0.0.2:8089", "http://localhost:8089/realm", "http://[::1]:8089"]) {
    expect(read(right)()).toBe(right);
  }
  const wrong = ["http://login.example", "login.example", "https://login.example?x=1", "https://user@login.example"];
  for (const text of [...wrong, "http://127.0.0.1.login.example"])
    expect(read(text)).toThrow("--oidc-issuer: expected");
  expect(() => readSettings({ "oidc-issuer": issuer }, {}).openId).toThrow("--oidc-issuer needs --oidc-client-id");
});
