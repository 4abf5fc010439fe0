import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcher, runOdograph } from "./program.ts";

test("the launcher works through links and takes nothing from the directory it is called in", async () => {
  const directory = await mkdtemp(join(tmpdir(), "odograph-"));
  try {
    await Bun.write(join(directory, "bunfig.toml"), 'preload = ["./preload.ts"]');
    await Bun.write(join(directory, "preload.ts"), 'console.log("a stranger\'s code");');
    await Bun.write(join(directory, ".env"), "DATABASE_URL=nonsense");
    await symlink(launcher, join(directory, "one"));
    await symlink("one", join(directory, "two"));

    const direct = await runOdograph(["version"], { program: launcher, cwd: directory });
    const linked = Bun.spawnSync([join(directory, "two"), "version"], { cwd: directory });
    expect(direct).toMatchObject({ code: 0, stderr: "" });
    expect(linked.stdout.toString()).toBe(direct.stdout);
    expect(direct.stdout).not.toContain("stranger");

    const config = await runOdograph(["config"], { program: launcher, cwd: directory });
    expect(config.code).toBe(0);
    expect(await readdir(directory)).toHaveLength(5);
  } finally {
    await rm(directory, { recursive: true });
  }
});
