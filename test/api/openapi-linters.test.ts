import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openApiBody } from "../../src/api/openapi/document.ts";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));

const redoclyRules = fileURLToPath(new URL("redocly.yaml", import.meta.url));

const spectralRules = fileURLToPath(new URL("spectral.yaml", import.meta.url));

/** They need some seconds, and several times that on a machine that has other things to do. */
const lintTimeoutMs = 300_000;

/** Neither asks whether there is a newer version nor reports that it ran. */
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", SCARF_ANALYTICS: "false" };

async function run(script: string, args: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([process.execPath, join(packages, script), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: cwd, TMPDIR: cwd, ...quiet },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const [stdout] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return stdout;
}

interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly at: string;
}

async function redocly(file: string, cwd: string): Promise<Finding[]> {
  const args = ["lint", file, "--config", redoclyRules, "--format", "json"];
  const { problems } = JSON.parse(await run("@redocly/cli/bin/cli.js", args, cwd)) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  return problems.map(({ ruleId, message, location }) => ({ rule: ruleId, message, at: location[0]?.pointer ?? "" }));
}

/** It takes several files at once, and seconds to get ready. */
async function spectral(files: readonly string[], cwd: string): Promise<Finding[][]> {
  const args = ["lint", ...files, "--ruleset", spectralRules, "--format", "json", "--quiet"];
  const problems = JSON.parse(await run("@stoplight/spectral-cli/dist/index.js", args, cwd)) as {
    code: string;
    message: string;
    path: string[];
    source: string;
  }[];
  return files.map((file) =>
    problems
      .filter(({ source }) => basename(source) === basename(file))
      .map(({ code, message, path }) => ({ rule: code, message, at: path.join("/") })),
  );
}

test(
  "the description passes the linters of Redocly and Spectral, without errors and warnings",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "odograph-lint-"));
    try {
      const good = join(directory, "good.json");
      const bad = join(directory, "bad.json");
      await Bun.write(good, openApiBody());
      // A linter that finds nothing here has not looked.
      await Bun.write(bad, JSON.stringify({ openapi: "3.1.0", info: { title: "No paths" } }));
      const [fromRedocly, badFromRedocly, [fromSpectral, badFromSpectral]] = await Promise.all([
        redocly(good, directory),
        redocly(bad, directory),
        spectral([good, bad], directory),
      ]);
      expect(badFromRedocly.length).toBeGreaterThan(0);
      expect(badFromSpectral?.length).toBeGreaterThan(0);
      expect(fromRedocly).toEqual([]);
      expect(fromSpectral).toEqual([]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
  lintTimeoutMs,
);
