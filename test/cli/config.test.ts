import { describe, expect, test } from "bun:test";
import { effectiveSettings } from "../../src/cli/settings.ts";
import { output } from "./outcome.ts";

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
