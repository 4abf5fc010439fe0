import { chownSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const inside = "ODOGRAPH_DRILL_HAS_MOUNTS";

/**
 * Runs this program once more where it may mount file systems that nobody else sees, and that are gone when it ends, however
 * it ends. Returns inside of it only.
 */
export async function withOwnMounts(): Promise<void> {
  if (process.env[inside]) return;
  if (process.getuid?.() !== 0 || Bun.which("unshare") === null) {
    console.log("not run: a small file system needs root, `unshare` and `mount`");
    process.exit(0);
  }
  const words = ["unshare", "--mount", "--propagation", "private", process.execPath, ...process.argv.slice(1)];
  const child = Bun.spawn(words, { env: { ...process.env, [inside]: "1" }, stdio: ["ignore", "inherit", "inherit"] });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  process.exit(await child.exited);
}

/** A small file system in memory, which can be filled to the last byte. */
export class SmallDisk {
  readonly #path: string;

  constructor(path: string, megabytes: number, owner: { readonly uid: number; readonly gid: number } | null) {
    this.#path = path;
    mkdirSync(path, { recursive: true });
    const words = ["mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", path];
    const { success, stderr } = Bun.spawnSync(words);
    if (!success) throw new Error(`mount: ${stderr}`);
    if (owner) chownSync(path, owner.uid, owner.gid);
  }

  /** Nothing is left. What programs free meanwhile is taken, too, until `free`. */
  fill(): void {
    for (let part = 0; this.#freeBytes() > 0; part++) {
      try {
        writeFileSync(join(this.#path, `ballast-${part}`), new Uint8Array(Math.min(this.#freeBytes(), 1 << 24)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
      if (part > 10_000) return;
    }
  }

  free(): void {
    for (const name of [...new Bun.Glob("ballast-*").scanSync(this.#path)]) rmSync(join(this.#path, name));
  }

  /** Programs that still use it keep it until they end. */
  unmount(): void {
    Bun.spawnSync(["umount", "-l", this.#path]);
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#path);
    return bavail * bsize;
  }
}
