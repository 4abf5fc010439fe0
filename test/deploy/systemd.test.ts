import { expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const units = fileURLToPath(new URL("../../deploy/systemd/", import.meta.url));

test("systemd understands the units", async () => {
  if (Bun.which("systemd-analyze") === null)
    return console.warn("not run, for want of systemd-analyze: deploy/systemd");
  const directory = await mkdtemp(join(tmpdir(), "odograph-units-"));
  try {
    const names = await readdir(units);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      // It wants to see the programs. Any will do.
      const text = (await readFile(join(units, name), "utf8")).replaceAll(/\/usr\/local\/bin\/\w+/g, "/bin/true");
      await writeFile(join(directory, name), text);
    }
    const found = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", ...names], { cwd: directory });
    expect([found.exitCode, found.stderr.toString()]).toEqual([0, ""]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("the nightly backup removes only its own", async () => {
  const text = await readFile(join(units, "odograph-backup.service"), "utf8");
  const [, made] = /backup (\S+)nightly-/.exec(text) ?? [];
  const [, from, pattern] = /find (\S+) -name '(\S+)'/.exec(text) ?? [];
  expect([`${from}/`, pattern]).toEqual([made, "nightly-*.db"]);
});
