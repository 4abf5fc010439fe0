import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { effectiveSettings, readSettings } from "../../src/cli/settings/settings.ts";
import { complaint, newPath, output } from "./outcome.ts";

async function config(args: readonly string[], env: Record<string, string> = {}) {
  return JSON.parse(await output(["config", "--json", ...args], { env }));
}

describe("odograph config", () => {
  test("tells every setting with its value and where it came from", async () => {
    const settings = await config(["--port", "9000", "--data", "/srv/fleet"], {
      ODOGRAPH_PORT: "9001",
      ODOGRAPH_INGEST_PORT: "9002",
      ODOGRAPH_HOST: "",
    });
    expect(settings).toMatchObject({
      data: { value: "/srv/fleet", source: "flag" },
      databaseUrl: { value: null, source: "default" },
      port: { value: "9000", source: "flag" },
      ingestPort: { value: "9002", source: "environment" },
      host: { value: "127.0.0.1", source: "default" },
      logLevel: { value: "info", source: "default" },
    });
  });

  test("is a table for people", async () => {
    const lines = (await output(["config", "--log-level", "warn"])).trimEnd().split("\n");
    expect(lines[0]).toMatch(/^SETTING +FLAG +VALUE +FROM$/);
    expect(lines.find((line) => line.includes("--log-level"))).toMatch(/^ODOGRAPH_LOG_LEVEL +--log-level +warn +flag$/);
    expect(lines.find((line) => line.startsWith("DATABASE_URL"))).toMatch(/^DATABASE_URL +- +default$/);
  });

  test("says whether a secret is set, and nothing more of it", async () => {
    const file = await newPath("password");
    await writeFile(file, "hunter2\n", { mode: 0o600 });
    const mail = ["--smtp", "smtp://me@mail.example", "--mail-from", "fleet@example.com"];
    const args = [...mail, "--public-url", "https://fleet.example/"];
    const env = { ODOGRAPH_SMTP_PASSWORD_FILE: file, ODOGRAPH_OIDC_CLIENT_SECRET: "hunter2" };
    const settings = await config(args, env);
    expect(settings.smtpPassword).toEqual({ value: "***", source: "file" });
    expect(settings.oidcClientSecret).toEqual({ value: "***", source: "environment" });
    expect((await config([])).smtpPassword).toEqual({ value: null, source: "default" });
    const text = await output(["config", ...args], { env });
    expect(text).toMatch(/^ODOGRAPH_SMTP_PASSWORD +\*\*\* +file$/m);
    expect(text).not.toContain("hunter2");
    expect(await complaint(["config"], 2, { env: { ODOGRAPH_SMTP_PASSWORD_FILE: `${file}-not` } })).toContain(
      "cannot be read",
    );
  });

  test("shows no key of an address, whatever it is called, and what else helps to recognise it", () => {
    const cases: [string, string, string][] = [
      ["ODOGRAPH_MAP_STYLE", "https://maps.example/s.json?key=hunter2&v=2", "https://maps.example/s.json?***"],
      [
        "ODOGRAPH_MAP_STYLE_DARK",
        "https://hunter2@maps.example/d?hunter2#k=hunter2",
        "https://***@maps.example/d?***#***",
      ],
      ["ODOGRAPH_GEOCODER", "https://me:hunter2@geo.example/?access_token=hunter2", "https://me:***@geo.example/?***"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://otel.example:4318/?api-key=hunter2", "https://otel.example:4318/?***"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://me:hunter2@otel.example", "http://me:***@otel.example"],
      ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=hunter2", "***"],
      ["ODOGRAPH_MQTT", "mqtt://me:hunter2@broker.example", "mqtt://me:***@broker.example"],
      [
        "DATABASE_URL",
        "postgres://me@db/fleet?sslmode=require&sslpassword=hunter2",
        "postgres://me@db/fleet?sslmode=require&sslpassword=***",
      ],
    ];
    for (const [variable, text, shown] of cases) {
      const found = effectiveSettings({}, { [variable]: text }).find(({ environment }) => environment === variable);
      expect(found?.shown).toBe(shown);
    }
    expect(() => effectiveSettings({}, { ODOGRAPH_MAP_STYLE: "maps.example/?key=hunter2" })).toThrow(
      /^ODOGRAPH_MAP_STYLE: expected the http:\/\/ or https:\/\/ address of a map style$/,
    );
  });

  test("refuses what serve refuses, with one line", async () => {
    const mail = ["--smtp", "smtp://me@mail.example", "--mail-from", "fleet@example.com"];
    const wrong: [string[], string][] = [
      [["--mail-from", "fleet@example.com"], "--mail-from needs --smtp"],
      [mail, "--smtp needs --public-url, for the mails that it sends"],
      [
        [...mail, "--public-url", "https://fleet.example"],
        "--smtp names a user, so it needs the password, in ODOGRAPH_SMTP_PASSWORD or ODOGRAPH_SMTP_PASSWORD_FILE",
      ],
      [["--oidc-client-id", "odograph"], "--oidc-client-id needs --oidc-issuer"],
      [["--oidc-name", "Example"], "--oidc-name needs --oidc-issuer"],
      [["--oidc-issuer", "https://login.example"], "--oidc-issuer needs --oidc-client-id"],
      [["--workers", "2"], "--workers (ODOGRAPH_WORKERS): more than one needs PostgreSQL: set DATABASE_URL"],
      [
        ["--port", "9000", "--ingest-port", "9000"],
        "--ingest-port: expected another port than --port, got 9000 for both",
      ],
      [
        ["--port", "9000", "--trackers", "h02,gt06=9000"],
        "--trackers: expected another port for gt06 than for --port, got 9000 for both",
      ],
      [
        ["--trackers", "gt06=0,h02=9000,jt808=0,wialon=9000"],
        "--trackers: expected another port for wialon than for h02, got 9000 for both",
      ],
    ];
    for (const [args, message] of wrong) {
      expect(await complaint(["config", ...args], 2)).toBe(message);
      expect(await complaint(["serve", ...args], 2)).toBe(message);
    }
  });

  test("takes no address for people or trackers that has more than an address, and repeats no password of it", () => {
    const tails = ["/?a=1", "/#part"];
    const secret = [
      "https://fleet:hunter2@fleet.example",
      "https://hunter2@fleet.example",
      "fleet:hunter2@fleet.example",
    ];
    for (const flag of ["public-url", "ingest-url", "oidc-issuer"] as const) {
      const read = (url: string) => () => effectiveSettings({ [flag]: url }, {});
      for (const tail of tails) expect(read(`https://fleet.example${tail}`)).toThrow(`--${flag}: expected`);
      for (const url of secret) expect(read(url)).toThrow(new RegExp(`^--${flag}: expected (?!.*hunter2)`));
      expect(read("https://fleet.example/base/")).not.toThrow();
    }
    expect(readSettings({ "public-url": "https://fleet.example/base//" }, {}).publicUrl).toBe(
      "https://fleet.example/base",
    );
  });

  test("takes a replica of PostgreSQL only, and masks its password", () => {
    const replica = "postgres://fleet:hunter2@replica/odograph";
    const alone = () => readSettings({}, { DATABASE_READ_URL: replica }).replicaUrl;
    expect(alone).toThrow(/^DATABASE_READ_URL needs DATABASE_URL(?!.*hunter2)/);
    const both = { DATABASE_URL: "postgres://fleet:hunter2@primary/odograph", DATABASE_READ_URL: replica };
    expect(readSettings({}, both).replicaUrl).toBe(replica);
    expect(readSettings({}, {}).replicaUrl).toBeNull();
    for (const same of [
      "postgres://reader:hunter2@primary/odograph",
      "postgresql://primary:5432/other?sslmode=require",
    ]) {
      const itself = () => readSettings({}, { ...both, DATABASE_READ_URL: same }).replicaUrl;
      expect(itself).toThrow(/^DATABASE_READ_URL is the address of DATABASE_URL(?!.*hunter2)/);
    }
    const neighbour = { ...both, DATABASE_READ_URL: "postgres://fleet:hunter2@primary:5433/odograph" };
    expect(readSettings({}, neighbour).replicaUrl).toBe(neighbour.DATABASE_READ_URL);
    const { shown } = effectiveSettings({}, both).find(({ name }) => name === "databaseReadUrl") ?? {};
    expect(shown).toBe("postgres://fleet:***@replica/odograph");
    expect(() => effectiveSettings({}, { ...both, DATABASE_READ_URL: "mysql://fleet:hunter2@db/x" })).toThrow(
      /^DATABASE_READ_URL: expected postgres:(?!.*hunter2)/,
    );
  });

  test("never repeats a wrong address, which may be a password with something around it", () => {
    for (const url of ["hunter2", "fleet:hunter2@db/x", "host=db password=hunter2", "mysql://fleet:hunter2@db/x"]) {
      expect(() => effectiveSettings({}, { DATABASE_URL: url })).toThrow(
        /^DATABASE_URL: expected postgres:(?!.*hunter2)/,
      );
    }
  });

  test("masks a password, however odd the address is", async () => {
    const masked: [string, string][] = [
      ["postgres://fleet:hunter2@db:5432/odograph", "postgres://fleet:***@db:5432/odograph"],
      ["postgres://fleet:hun@ter:2/@db/odograph", "postgres://fleet:***@db/odograph"],
      ["postgres://fleet:hun%40ter2@db/odograph", "postgres://fleet:***@db/odograph"],
      ["postgres://:hunter2@db/odograph", "postgres://:***@db/odograph"],
      ["postgres://fleet@corp:hunter2@db/odograph", "postgres://fleet@corp:***@db/odograph"],
      ["postgres://fleet@db/odograph?password=hunter2&a=b", "postgres://fleet@db/odograph?password=***&a=b"],
      ["postgres://fleet@db/odograph", "postgres://fleet@db/odograph"],
    ];
    for (const [url, shown] of masked) {
      const settings = effectiveSettings({}, { DATABASE_URL: url });
      expect(settings.find(({ name }) => name === "databaseUrl")).toMatchObject({ shown, source: "environment" });
    }
    const env = { DATABASE_URL: masked[1]?.[0] ?? "" };
    const texts = await Promise.all([output(["config"], { env }), output(["config", "--json"], { env })]);
    for (const text of texts) {
      expect(text).toContain("postgres://fleet:***@db/odograph");
      expect(text).not.toMatch(/hun|ter:2/);
    }
  });
});

const issuer = "https://login.example/realms/fleet";
const flags = { "oidc-issuer": issuer, "oidc-client-id": "odograph" };

test("the secret of an OpenID client comes from the environment or from a file, and from nowhere else", async () => {
  const expected = { issuer, clientId: "odograph", name: "OpenID" };
  const secret = "the secret of a client";
  expect(readSettings(flags, {}).openId).toEqual({ ...expected, clientSecret: null });
  const direct = { ODOGRAPH_OIDC_CLIENT_SECRET: secret };
  expect(readSettings(flags, direct).openId).toEqual({ ...expected, clientSecret: secret });
  const file = await newPath("secret");
  await writeFile(file, `${secret}\n`);
  const inFile = { ODOGRAPH_OIDC_CLIENT_SECRET_FILE: file };
  expect(readSettings(flags, inFile).openId).toEqual({ ...expected, clientSecret: secret });
  expect(() => readSettings(flags, { ...direct, ...inFile }).openId).toThrow("both set");
  expect(readSettings({}, direct).openId).toBeNull();
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

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
const tracing = (environment: Record<string, string>) => readSettings({}, environment).tracing;

describe("the settings of traces", () => {
  test("are OpenTelemetry's own variables", () => {
    expect(tracing({})).toBeNull();
    expect(tracing(collector)).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      resource: {},
      serviceName: "odograph",
      sampler: "parentbased_always_on",
      ratio: 1,
    });
    expect(tracing({ ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://a.example/otlp" })?.url).toBe(
      "https://a.example/otlp",
    );
    expect(
      tracing({
        ...collector,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpi=, x-scope = a%2Cb",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=production",
        OTEL_SERVICE_NAME: "fleet",
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.1",
      }),
    ).toMatchObject({
      headers: { authorization: "Basic YTpi=", "x-scope": "a,b" },
      resource: { "deployment.environment.name": "production" },
      serviceName: "fleet",
      sampler: "traceidratio",
      ratio: 0.1,
    });
    expect(tracing({ ...collector, OTEL_SDK_DISABLED: "true" })).toBeNull();
  });

  test("are refused if they are wrong, without repeating a secret", () => {
    for (const [name, value] of [
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:hunter2@4318"],
      ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2"],
      ["OTEL_EXPORTER_OTLP_HEADERS", "a=hunter2%"],
      ["OTEL_TRACES_SAMPLER", "sometimes"],
      ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ] as const) {
      const read = () => tracing({ ...collector, [name]: value });
      expect(read).toThrow(`${name}: expected `);
      expect(read).not.toThrow("hunter2");
    }
  });
});
