import { describe, expect, test } from "bun:test";
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

  test.each([
    ["postgres://fleet:hunter2@db:5432/odograph", "postgres://fleet:***@db:5432/odograph"],
    ["postgres://fleet:hun@ter:2/@db/odograph", "postgres://fleet:***@db/odograph"],
    ["postgres://fleet:hun%40ter2@db/odograph", "postgres://fleet:***@db/odograph"],
    ["postgres://:hunter2@db/odograph", "postgres://:***@db/odograph"],
    [
      "postgresql://fleet@db/odograph?password=hunter2&sslmode=require",
      "postgresql://fleet@db/odograph?password=***&sslmode=require",
    ],
    ["postgres://fleet@db/odograph", "postgres://fleet@db/odograph"],
  ])("masks the password of %s", async (url, shown) => {
    const env = { DATABASE_URL: url };
    expect((await config([], env)).databaseUrl).toEqual({ value: shown, source: "environment" });
    const table = await output(["config"], { env });
    expect(table).toContain(shown);
    expect(table).not.toMatch(/hun|ter2|ter:2/);
  });
});
