import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { $ } from "bun";

/** What the official slim images leave out as well. */
const unneeded = ["doc", "man", "info", "locale"].map((name) => `usr/share/${name}`);
const left = ["var/cache/apt", "var/lib/apt/lists", "etc/resolv.conf"];

type Step = (container: string) => readonly string[];

/**
 * Makes images under the names that the Dockerfile uses, for a machine that reaches no registry of images: Debian by
 * debootstrap, and Node of the same version from npm upon it. It needs root, buildah and debootstrap.
 */
export async function makeStandIns(dockerfile: string): Promise<void> {
  const [, major, release] = /^FROM node:(\d+)-(\w+)-slim AS build$/m.exec(dockerfile) ?? [];
  if (!major || !release || !dockerfile.includes(`\nFROM debian:${release}-slim\n`)) {
    throw new Error("the Dockerfile begins with other images");
  }
  const scratch = mkdtempSync(join(tmpdir(), "odograph-bases-"));
  try {
    const root = join(scratch, "root");
    await $`debootstrap --variant=minbase ${release} ${root}`.quiet();
    for (const name of [...unneeded, ...left]) rmSync(join(root, name), { recursive: true, force: true });
    const archive = join(scratch, "root.tar");
    await $`tar --numeric-owner --directory ${root} --create --file ${archive} .`;
    const debian = `docker.io/library/debian:${release}-slim`;
    await makeImage(debian, "scratch", [(container) => ["add", container, archive, "/"]]);

    await $`npm install --prefix ${scratch} --no-save --no-audit --no-fund node@${major} npm@11`.quiet();
    const modules = join(scratch, "node_modules");
    const link = ["ln", "-s", "../lib/node_modules/npm/bin/npm-cli.js", "/usr/local/bin/npm"];
    await makeImage(`docker.io/library/node:${major}-${release}-slim`, debian, [
      (container) => ["copy", container, `${modules}/node/bin/node`, "/usr/local/bin/node"],
      (container) => ["copy", container, `${modules}/npm`, "/usr/local/lib/node_modules/npm"],
      (container) => ["run", "--isolation", "chroot", container, ...link],
      ...certificatesOfThisMachine(),
    ]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A machine behind a proxy may need others than Node has. */
function certificatesOfThisMachine(): Step[] {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  const copy = "/etc/ssl/certs/extra.pem";
  if (!file) return [];
  return [
    (container) => ["copy", container, file, copy],
    (container) => ["config", "--env", `NODE_EXTRA_CA_CERTS=${copy}`, container],
  ];
}

async function makeImage(name: string, from: string, steps: readonly Step[]): Promise<void> {
  const container = (await $`buildah from --pull-never ${from}`.text()).trim();
  try {
    for (const step of steps) await $`buildah ${step(container)}`.quiet();
    await $`buildah commit --format docker ${container} ${name}`.quiet();
  } finally {
    await $`buildah rm ${container}`.quiet();
  }
}
