import { describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { allCommands, commandNames } from "../../src/cli/commands.ts";
import { settingsTable } from "../../src/cli/settings-table.ts";
import { complaint, output } from "./outcome.ts";

const commands = await allCommands();

describe("odograph help", () => {
  test("lists every command, the common options, the settings and the exit codes", async () => {
    const [help, byFlag] = await Promise.all([output(["help"]), output(["--help"])]);
    expect(byFlag).toBe(help);
    for (const { name, actions } of commands) {
      for (const action of actions) expect(help).toContain(`  ${[name, action.name].filter(Boolean).join(" ")}`);
    }
    for (const { environment } of Object.values(settingsTable)) expect(help).toContain(`  ${environment}`);
    expect(help).toContain("--data DIR");
    expect(help).toContain("Exit codes: 0 done, 1 failed, 2 wrong call or setting.");
  });

  test("tells all arguments and options of each command, and so does --help", async () => {
    const texts = await Promise.all(commands.map(({ name }) => output(["help", name])));
    for (const [index, { name, actions, details }] of commands.entries()) {
      const text = texts[index] ?? "";
      expect(text).toContain(details);
      for (const action of actions) {
        expect(text).toContain(["odograph", name, action.name, ...action.arguments].filter(Boolean).join(" "));
        for (const option of action.options) expect(text).toContain(`--${option.name}`);
        for (const setting of [...action.settings, "data" as const]) {
          expect(text).toContain(`--${settingsTable[setting].flag} ${settingsTable[setting].placeholder}`);
        }
      }
    }
    expect(await output(["keys", "create", "--help"])).toBe(
      texts[commands.findIndex(({ name }) => name === "keys")] ?? "",
    );
  });

  test("tells the demo's own data directory, and what simulate needs", async () => {
    const [demo, simulate, all] = await Promise.all([
      output(["help", "demo"]),
      output(["help", "simulate"]),
      output(["help"]),
    ]);
    expect(demo).toMatch(/--data DIR +data directory of the embedded store \(\.\/odograph-demo\)\n/);
    expect(simulate).toMatch(/--to URL .*\(required to send\)\n/);
    expect(simulate).toMatch(/--token T .*\(required to send; ODOGRAPH_INGEST_TOKEN\)\n/);
    expect(all).toContain("  ODOGRAPH_INGEST_TOKEN ");
  });

  test("works with a wrong environment", async () => {
    expect(await output(["help"], { env: { ODOGRAPH_PORT: "x", DATABASE_URL: "y" } })).toContain("Usage:");
  });

  test("does not know what is no command", async () => {
    expect(commandNames).toEqual(commands.map(({ name }) => name));
    const known = commandNames.join(", ");
    expect(await complaint(["help", "fly"], 2)).toBe(`unknown command "fly"; the commands are ${known}`);
  });
});

describe("odograph version", () => {
  test("is the package's, for people and for scripts", async () => {
    const [text, short, json] = await Promise.all([output(["version"]), output(["-v"]), output(["version", "--json"])]);
    expect(text).toBe(`odograph ${version} (Bun ${Bun.version})\n`);
    expect(short).toBe(text);
    expect(JSON.parse(json)).toEqual({ version, bun: Bun.version });
  });
});
