// The Bun of each system, from the packages in which npm installs it. npm knows the user's registry; the lockfile knows
// what must be in them.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isForWindows, type ReleaseTarget } from "./targets.ts";
import { npm, root } from "./tools.ts";

export interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
}

export async function readLockfile(): Promise<Lockfile> {
  return await Bun.file(join(root, "package-lock.json")).json();
}

/** Fetches the Bun of a system into a folder of its own. Returns where it is. */
export async function fetchBun(target: ReleaseTarget, { packages }: Lockfile, scratch: string): Promise<string> {
  const { bunPackage } = target;
  const locked = packages[`node_modules/${bunPackage}`];
  if (locked?.integrity === undefined) throw new Error(`package-lock.json must name ${bunPackage}`);
  const packed = npm(["pack", `${bunPackage}@${locked.version}`, "--json", "--pack-destination", scratch]);
  const [{ filename }] = JSON.parse(packed);
  const bytes = await Bun.file(join(scratch, filename)).bytes();
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (integrity !== locked.integrity) throw new Error(`${bunPackage} is not the one that package-lock.json names`);
  const folder = join(scratch, target.name);
  await new Bun.Archive(bytes).extract(folder);
  return join(folder, "package/bin", isForWindows(target) ? "bun.exe" : "bun");
}
