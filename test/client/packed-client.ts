import { expect } from "bun:test";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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

/** Makes the package as it is published, from a copy of its folder, and installs it as a user would. */
export async function packClient(): Promise<PackedClient> {
  const place = await mkdtemp(join(tmpdir(), "odograph-client-"));
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
  return {
    files: listed.output.trim().split("\n").sort(),
    project,
    remove: () => rm(place, { recursive: true, force: true }),
  };
}
