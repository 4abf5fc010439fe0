import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import packageFile from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { readDocuments } from "../../src/api/guide/documents.ts";
import { filesOf } from "../../src/api/guide/site.ts";
import { commandNames } from "../../src/cli/commands.ts";
import type { Setting } from "../../src/cli/settings/setting.ts";
import { settingsTable } from "../../src/cli/settings/settings-table.ts";
import { runOdograph } from "../support/program.ts";
import { readRepository } from "../support/source-tree.ts";
import { all, environment, instructionsIn, isLeftOut, last, leftOut, wordsIn } from "./dockerfile.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const settings: readonly Setting[] = Object.values(settingsTable);

describe("the Dockerfile", () => {
  test("builds with a Node that the program's scripts know, on the Debian that the image runs on", () => {
    const [, major = "", release] = /^node:(\d+)-(\w+)-slim AS build$/.exec(all("FROM")[0] ?? "") ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(Number(packageFile.engines.node.replace(">=", "")));
    expect(all("FROM").slice(1)).toEqual([`debian:${release}-slim`]);
  });

  test("installs what the lockfile pins, without packages for development, and runs scripts that there are", () => {
    const npm = all("RUN").filter((text) => text.startsWith("npm "));
    expect(npm[0]).toMatch(/^npm ci --omit=dev /);
    const scripts = npm.slice(1).map((text) => text.replace("npm run ", ""));
    expect(scripts).toEqual(["compile"]);
    for (const name of scripts) expect(packageFile.scripts).toHaveProperty(name);
    // So that the Bun in the image is the one that the tests ran on.
    expect(lock.packages["node_modules/bun"].version).toBe(packageFile.dependencies.bun);
  });

  test("sets only settings that there are, to values that they take", () => {
    expect(environment.size).toBeGreaterThan(1);
    for (const [name, value] of environment) {
      const setting = settings.find((one) => one.environment === name);
      expect([name, setting?.read(value) ?? null]).not.toEqual([name, null]);
    }
    expect(environment.get("ODOGRAPH_HOST")).toBe("0.0.0.0");
  });

  test("names commands that there are, and waits for a health check longer than that waits itself", () => {
    expect(wordsIn(last("ENTRYPOINT"))).toEqual(["odograph"]);
    expect(commandNames).toContain(wordsIn(last("CMD"))[0] ?? "");
    const [program, command = "", ...rest] = wordsIn(last("HEALTHCHECK"));
    expect([program, rest]).toEqual(["odograph", []]);
    expect(commandNames).toContain(command);
    expect(Number(/--timeout=(\d+)s/.exec(last("HEALTHCHECK"))?.[1])).toBeGreaterThan(3);
  });

  test("opens the ports that the program listens on", () => {
    const { port, ingestPort } = settingsTable;
    expect(last("EXPOSE")).toBe(`${port.defaultText} ${ingestPort.defaultText}`);
  });

  test("runs as a user of its own, by number, who owns the volume that the data is in", () => {
    const [, user = "", group = ""] = /^(\d+):(\d+)$/.exec(last("USER")) ?? [];
    const made = all("RUN").find((text) => text.includes("useradd")) ?? "";
    expect(made).toContain(`groupadd --gid ${group} odograph`);
    expect(made).toContain(`useradd --uid ${user} --gid odograph`);
    const data = environment.get("ODOGRAPH_DATA") ?? "";
    expect([last("VOLUME"), last("WORKDIR")]).toEqual([data, data]);
    expect(/install --directory .* --owner odograph .*/.exec(made)?.[0]).toContain(` ${data} `);
    expect(Number(user)).toBeGreaterThan(0);
  });

  test("copies files that are there", async () => {
    const copied = all("COPY").filter((text) => !text.startsWith("--from"));
    const sources = copied.flatMap((text) => text.split(" ").slice(0, -1)).filter((source) => source !== ".");
    expect(sources).not.toEqual([]);
    for (const source of sources) {
      expect([source, isLeftOut(leftOut, source)]).toEqual([source, false]);
      expect([source, await Bun.file(join(repository, source)).exists()]).toEqual([source, true]);
    }
  });

  test("is read as an engine reads it", () => {
    const text = '# A\nFROM a\n# B\nRUN one \\\n && two\nCMD ["serve"]\n';
    expect(instructionsIn(text).map(({ name, text }) => `${name}|${text}`)).toEqual([
      "FROM|a",
      "RUN|one && two",
      'CMD|["serve"]',
    ]);
  });
});

test("the guide is the same in a clone, in the image and in the npm package", async () => {
  const documents = await readDocuments();
  const shown = [...documents.keys(), ...filesOf(documents)];
  expect(shown).toContain("client/README.md");
  expect(shown.filter((path) => isLeftOut(leftOut, path))).toEqual([]);
  const packed = ["README.md", ...packageFile.files];
  expect(shown.filter((path) => !packed.some((name) => path === name || path.startsWith(`${name}/`)))).toEqual([]);
});

test("what .dockerignore leaves out holds secrets and data, and nothing that the program is made of", async () => {
  const secret = [".env", ".env.production", "client/.env", "odograph-data/odograph.db", "backups/a.db", "store.dump"];
  expect(secret.filter((path) => !isLeftOut(leftOut, path))).toEqual([]);

  const scratch = await mkdtemp(join(tmpdir(), "odograph-image-"));
  try {
    const copied = [...(await readRepository())].filter(([path]) => !isLeftOut(leftOut, path));
    for (const folder of new Set(copied.map(([path]) => dirname(path)))) {
      await mkdir(join(scratch, "clone", folder), { recursive: true });
    }
    await Promise.all(copied.map(([path, text]) => Bun.write(join(scratch, "clone", path), text)));
    await symlink(join(repository, "node_modules"), join(scratch, "clone/node_modules"));
    const program = join(scratch, "odograph");
    const words = ["--no-env-file", "--no-install", join(scratch, "clone/scripts/compile.ts"), program];
    const compile = Bun.spawn([process.execPath, ...words], { cwd: scratch, stdout: "ignore", stderr: "pipe" });
    expect([await compile.exited, await new Response(compile.stderr).text()]).toEqual([0, ""]);
    const { stdout } = await runOdograph(["version"], { program, cwd: scratch });
    expect(stdout).toBe(`odograph ${packageFile.version} (Bun ${packageFile.dependencies.bun})\n`);
  } finally {
    await rm(scratch, { recursive: true });
  }
});
