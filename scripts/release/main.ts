// Makes everything of a version, from a clean commit. `npm run release` runs it; docs/releases.md says what comes out.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import clientFile from "../../client/package.json" with { type: "json" };
import packageFile from "../../package.json" with { type: "json" };
import { readLockfile } from "./bun-binaries.ts";
import { clientPackage, hasPip, programPackage, pythonPackages, type ReleaseFile } from "./packages.ts";
import { makePrograms, programArchive, versionOf } from "./programs.ts";
import { billOfMaterials } from "./sbom.ts";
import { releaseTargets } from "./targets.ts";
import { npm, root, run } from "./tools.ts";
import { changesOf, faultsOfVersion } from "./version.ts";

const { version } = packageFile;

const help = `Usage: npm run release -- [OUT] [--only SYSTEM,…] [--check]

Makes everything of version ${version} in OUT (dist/release/${version} if not given): the programs, the packages of the
clients, the bill of materials, the changes, and SHA256SUMS.

  --only SYSTEM,…   only the programs of these systems: ${releaseTargets.map(({ name }) => name).join(", ")}
  --check           then makes all of it again from a clone, and compares
  --help            this text`;

await release().catch(fail);

async function release(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: "string" }, check: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values.help) return say(help);
  const [given, ...more] = positionals;
  if (more.length > 0) throw new Error(`one directory must be given, not ${positionals.join(" ")}`);
  const names = values.only?.split(",") ?? releaseTargets.map(({ name }) => name);
  const unknown = names.filter((name) => !releaseTargets.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`no such system: ${unknown.join(", ")}`);
  await refuseUnfit();
  const out = given === undefined ? join(root, "dist/release", version) : resolve(given);
  if (given === undefined) await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  // Whatever lies there would be in SHA256SUMS, and nobody wants it removed.
  if ((await readdir(out)).length > 0) throw new Error(`${out} must be empty`);
  await make(out, names);
  if (values.check) await makeAgain(out, names);
}

async function refuseUnfit(): Promise<void> {
  const changed = run(["git", "status", "--porcelain"]);
  if (changed !== "") throw new Error(`the tree must be clean, so that a release is a commit:\n${changed}`);
  const pythonProject = await Bun.file(join(root, "client-python/pyproject.toml")).text();
  const changelog = await readChangelog();
  const security = await Bun.file(join(root, "SECURITY.md")).text();
  const faults = faultsOfVersion({ program: version, client: clientFile.version, pythonProject, changelog, security });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

async function make(out: string, systems: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "odograph-release-"));
  try {
    await makeIn(scratch, out, systems);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function makeIn(scratch: string, out: string, systems: readonly string[]): Promise<void> {
  const time = timeOfRelease();
  const lockfile = await readLockfile();
  const write = async ({ name, bytes }: ReleaseFile) => {
    await Bun.write(join(out, name), bytes);
    say(`${name} (${size(bytes.length)})`);
  };
  const targets = releaseTargets.filter(({ name }) => systems.includes(name));
  const ran: string[] = [];
  for (const [target, program] of await makePrograms(targets, lockfile, scratch, say)) {
    if (target.isThisSystem) {
      const said = versionOf(program);
      if (!said.startsWith(`odograph ${version} `)) throw new Error(`the program says that it is ${said}`);
      ran.push(target.name);
    }
    await write(await programArchive(target, program, version, time));
  }
  await write(await programPackage(scratch, time));
  await write(await clientPackage(scratch, time));
  const withPython = hasPip();
  if (withPython) for (const file of await pythonPackages(scratch, time)) await write(file);
  const sbom = `${JSON.stringify(await billOfMaterials(version, lockfile, time), null, 2)}\n`;
  await write({ name: `odograph-${version}.cdx.json`, bytes: Buffer.from(sbom) });
  const changes = changesOf(version, await readChangelog());
  await write({ name: `CHANGELOG-${version}.md`, bytes: Buffer.from(changes) });
  await write({ name: "SHA256SUMS", bytes: Buffer.from(await checksums(out)) });

  const built = targets.map(({ name }) => name).filter((name) => !ran.includes(name));
  say(`ran here: ${ran.join(", ") || "none"}; built only: ${built.join(", ") || "none"}`);
  if (!withPython) say("not made, for want of python3 with pip: the packages for Python");
  say(`version ${version} is in ${out}`);
}

/** What a stranger would do to see whether our files come from our sources: a clone in another directory, and again. */
async function makeAgain(out: string, systems: readonly string[]): Promise<void> {
  say("making it again from a clone");
  const scratch = await mkdtemp(join(tmpdir(), "odograph-again-"));
  try {
    const clone = join(scratch, "clone");
    run(["git", "clone", "--quiet", "--no-local", root, clone]);
    run(["git", "checkout", "--quiet", "--detach", run(["git", "rev-parse", "HEAD"])], clone);
    npm(["run", "release", "--", join(scratch, "out"), "--only", systems.join(",")], clone);
    const [first, second] = await Promise.all([out, join(scratch, "out")].map(readSums));
    if (first !== second) throw new Error(`the second run gave other bytes:\n${first}\n${second}`);
    say("the same bytes again");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The time that all files get: when the commit was made, unless SOURCE_DATE_EPOCH names another. */
function timeOfRelease(): Date {
  const seconds = process.env.SOURCE_DATE_EPOCH ?? run(["git", "log", "-1", "--format=%ct"]);
  if (!/^\d+$/.test(seconds)) throw new Error(`SOURCE_DATE_EPOCH must be a number of seconds, not "${seconds}"`);
  return new Date(Number(seconds) * 1000);
}

/** As `sha256sum --check` reads them. */
async function checksums(folder: string): Promise<string> {
  const lines = (await readdir(folder)).sort().map(async (name) => {
    const bytes = await Bun.file(join(folder, name)).bytes();
    return `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
  });
  return (await Promise.all(lines)).join("");
}

async function readSums(folder: string): Promise<string> {
  return await Bun.file(join(folder, "SHA256SUMS")).text();
}

async function readChangelog(): Promise<string> {
  return await Bun.file(join(root, "CHANGELOG.md")).text();
}

function size(bytes: number): string {
  return bytes > 1e6 ? `${(bytes / 1e6).toFixed(0)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(error: unknown): void {
  process.stderr.write(`release: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
