import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { findCommand } from "../../src/cli/commands.ts";
import { drainTime, endLimits } from "../../src/cli/serving/ending.ts";
import type { Setting } from "../../src/cli/settings/setting.ts";
import { settingsTable } from "../../src/cli/settings/settings-table.ts";
import { families } from "../../src/intake/trackers/families.ts";
import { all, last } from "./dockerfile.ts";

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly [other: string]: unknown;
}

const text = await Bun.file(fileURLToPath(new URL("../../compose.yaml", import.meta.url))).text();
const { services, volumes } = Bun.YAML.parse(text) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};
const ours = Object.entries(services).filter(([, { image }]) => image === "odograph");

describe("compose.yaml", () => {
  test("starts the server alone, on SQLite, and PostgreSQL or a backup only for those who ask", () => {
    const usual = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
    expect(usual.map(([name]) => name)).toEqual(["odograph"]);
    expect(services.postgres?.profiles).toEqual(["postgres"]);
    expect(services.odograph?.depends_on).toEqual({ postgres: { condition: "service_healthy", required: false } });
  });

  test("gives our containers no right that they do not need, and never runs an image of others", () => {
    expect(ours.map(([name]) => name)).toEqual(["odograph", "backup", "restore", "postgres-password"]);
    for (const [, service] of ours) {
      expect(service).toMatchObject({
        pull_policy: "never",
        init: true,
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        tmpfs: ["/tmp"],
      });
      expect(service).not.toHaveProperty("user");
    }
  });

  test("bounds the log of every container", () => {
    for (const [name, { logging }] of Object.entries(services)) {
      const options = { "max-size": expect.stringMatching(/^\d+m$/), "max-file": expect.stringMatching(/^\d+$/) };
      expect([name, logging]).toEqual([name, { driver: "json-file", options }]);
    }
  });

  test("opens the image's ports to this machine only, and nobody else's", () => {
    const ports = last("EXPOSE").split(" ");
    expect(services.odograph?.ports).toEqual(ports.map((port) => `127.0.0.1:${port}:${port}`));
    expect(Object.values(services).filter((service) => service.ports !== undefined)).toHaveLength(1);
  });

  test("names the ports of trackers, for those who want them", () => {
    const lines = text.split("\n").map((line) => line.trim());
    for (const { name, port, transports } of Object.values(families)) {
      for (const transport of transports) {
        const isNamed = lines.some((line) => line.startsWith(`# - "${port}:${port}/${transport}"`));
        expect([name, transport, isNamed]).toEqual([name, transport, true]);
      }
    }
  });

  test("waits for the end of a server longer than that may take", () => {
    const graceMs = Number(services.odograph?.stop_grace_period?.replace(/s$/, "")) * 1000;
    expect(graceMs).toBeGreaterThan(endLimits(drainTime(null, "postgres")).first);
  });

  test("mounts volumes that it declares, at directories of the image", () => {
    const made = all("RUN").join(" ");
    for (const [, service] of ours) {
      for (const mount of service.volumes ?? []) {
        const [, volume = "", target = ""] = /^(?:\$\{BACKUPS:-)?(\w+)\}?:(\/\S+)$/.exec(mount) ?? [];
        expect(Object.keys(volumes)).toContain(volume);
        expect(`${made} `).toContain(` ${target} `);
      }
    }
    expect(services.odograph?.volumes).toEqual([`data:${last("VOLUME")}`]);
  });

  test("calls commands and options that there are", async () => {
    const calls = ours.flatMap(([, { entrypoint = [] }]) => [
      /odograph ([a-z]+.*)/.exec(entrypoint.join(" "))?.[1] ?? "",
    ]);
    expect(calls.filter(Boolean).map((call) => call.split(" ")[0])).toEqual(["backup", "restore"]);
    for (const call of calls.filter(Boolean)) {
      const [name = "", ...words] = call.split(" ");
      const options = (await findCommand(name)).actions.flatMap((action) =>
        action.options.map((option) => option.name),
      );
      for (const word of words.filter((word) => word.startsWith("--"))) expect(options).toContain(word.slice(2));
    }
  });

  test("sets only settings that there are, and makes an address of the password that PostgreSQL gets", () => {
    const settings: readonly Setting[] = Object.values(settingsTable);
    const names = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(names.filter((name) => !settings.some(({ environment }) => environment === name))).toEqual([]);
    // As Compose reads it: nothing if there is no password.
    const [, address = ""] =
      /^\$\{DATABASE_URL:-\$\{POSTGRES_PASSWORD:\+(.*)\}\}$/.exec(services.odograph?.environment?.DATABASE_URL ?? "") ??
      [];
    const { POSTGRES_USER: user, POSTGRES_DB: name } = services.postgres?.environment ?? {};
    expect(settingsTable.databaseUrl.read(address.replace(/\$\{POSTGRES_PASSWORD:-\}/, "5ecret"))).toBe(
      `postgres://${user}:5ecret@postgres:5432/${name}`,
    );
  });
});
