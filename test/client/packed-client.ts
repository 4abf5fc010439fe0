import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../support/patience.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface PackedClient {
  /** What the package contains. */
  readonly files: readonly string[];
  /** A project that has installed it. */
  readonly project: string;
  remove(): Promise<void>;
}

export async function run(command: readonly string[], cwd?: string): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([...command], { ...(cwd ? { cwd } : {}), stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, output: texts.join("") };
}

/** A project of its own that has installed the package. It is packed and installed once for all files of a test run. */
export async function packClient(): Promise<PackedClient> {
  const place = await mkdtemp(join(tmpdir(), "odograph-client-"));
  const shared = process.env.ODOGRAPH_TEST_RUN;
  if (shared === undefined) await packInto(place);
  else await cp(await oncePacked(join(shared, "client")), place, { recursive: true, verbatimSymlinks: true });
  return {
    files: JSON.parse(await readFile(join(place, "files.json"), "utf8")),
    project: join(place, "project"),
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

/** Whichever process makes the directory packs; the others wait for it. */
async function oncePacked(directory: string): Promise<string> {
  const packed = join(directory, "packed");
  const isFirst = await mkdir(directory).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await mkdir(join(directory, "unfinished"));
    await packInto(join(directory, "unfinished"));
    await rename(join(directory, "unfinished"), packed);
  }
  await until(() => existsSync(packed));
  return packed;
}

/** Makes the package as it is published, from a copy of its folder, and installs it as a user would. */
async function packInto(place: string): Promise<void> {
  const [folder, project] = [join(place, "client"), join(place, "project")];
  await cp(fileOf("../../client"), folder, { recursive: true, filter: (path) => !path.endsWith("/dist") });
  await symlink(fileOf("../../node_modules"), join(place, "node_modules"));
  await mkdir(project);
  const packed = await run(["npm", "pack", "--silent", "--pack-destination", place], folder);
  expect(packed).toMatchObject({ code: 0 });
  const tarball = join(place, /\S+\.tgz/.exec(packed.output)?.[0] ?? "");
  const listed = await run(["tar", "-tzf", tarball]);
  await writeFile(join(project, "package.json"), '{ "type": "module", "private": true }');
  const installed = await run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", tarball], project);
  expect(installed).toMatchObject({ code: 0 });
  const manifest = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual(["odograph-client"]);
  await writeFile(join(place, "files.json"), JSON.stringify(listed.output.trim().split("\n").sort()));
}
