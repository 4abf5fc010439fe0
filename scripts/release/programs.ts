// The one-file programs, each in an archive with the licences that must be passed on with it.
import { join } from "node:path";
import { makeOneFiles } from "../one-file.ts";
import { type ArchiveFile, tarGz, zip } from "./archives.ts";
import { fetchBun, type Lockfile } from "./bun-binaries.ts";
import { faultOfMachOSignature, signMachO } from "./mach-o-signature.ts";
import type { ReleaseFile } from "./packages.ts";
import { isForMac, isForWindows, type ReleaseTarget } from "./targets.ts";
import { root, run } from "./tools.ts";

/** Makes the program of each system. */
export async function makePrograms(
  targets: readonly ReleaseTarget[],
  lockfile: Lockfile,
  scratch: string,
  say: (line: string) => void,
): Promise<Map<ReleaseTarget, string>> {
  const made = new Map<ReleaseTarget, string>();
  const programs = [];
  for (const target of targets) {
    say(`Bun for ${target.name}`);
    const executablePath = await fetchBun(target, lockfile, scratch);
    // The file's name ends up in the program, so it is the same for all.
    const outfile = join(scratch, "programs", target.name, isForWindows(target) ? "odograph.exe" : "odograph");
    made.set(target, outfile);
    programs.push({ outfile, other: { target: target.compileTarget, executablePath } });
  }
  await makeOneFiles(programs, (outfile) => say(`compiled ${outfile.split("/").at(-2)}`));
  for (const [target, outfile] of made) if (isForMac(target)) await sign(outfile);
  return made;
}

/** Runs it, and returns what it says of itself. */
export function versionOf(program: string): string {
  return run([program, "version"]);
}

export async function programArchive(
  target: ReleaseTarget,
  program: string,
  version: string,
  time: Date,
): Promise<ReleaseFile> {
  const folder = `odograph-${version}-${target.name}`;
  const texts = textsOfArchive().map(async (name): Promise<ArchiveFile> => {
    return { name: `${folder}/${name}`, bytes: await Bun.file(join(root, name)).bytes(), isProgram: false };
  });
  const name = `${folder}/${isForWindows(target) ? "odograph.exe" : "odograph"}`;
  const files = [...(await Promise.all(texts)), { name, bytes: await Bun.file(program).bytes(), isProgram: true }];
  if (isForWindows(target)) return { name: `${folder}.zip`, bytes: zip(files, time) };
  return { name: `${folder}.tar.gz`, bytes: await tarGz(files, time) };
}

/** What must be passed on with the program, and the files that docs/operations.md installs. */
export function textsOfArchive(): string[] {
  return run(["git", "ls-files", "LICENSE", "NOTICE", "README.md", "deploy"]).split("\n");
}

async function sign(outfile: string): Promise<void> {
  const program = Buffer.from(await Bun.file(outfile).arrayBuffer());
  if (faultOfMachOSignature(program) === undefined) return;
  const signed = signMachO(program, "odograph");
  const fault = faultOfMachOSignature(signed);
  if (fault !== undefined) throw new Error(`${outfile}: ${fault}`);
  await Bun.write(outfile, signed);
}
