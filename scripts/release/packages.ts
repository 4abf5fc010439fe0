// The packages for npm and for Python: the program's, and those of the clients.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { tarGzAgain, zipAgain } from "./archives.ts";
import { exportFolder, nodePath, npm, root, run } from "./tools.ts";

export interface ReleaseFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * What builds the Python packages. Its version is written into them, so it is pinned; its hash is checked by pip.
 */
const setuptools =
  "setuptools==80.9.0 --hash=sha256:062d34222ad13e0cc312a4c02d73f059e86a4acbfbdea8f8f76b28c99f306922\n";

export async function programPackage(scratch: string, time: Date): Promise<ReleaseFile> {
  const { name, bytes } = await packed(root, scratch, time);
  return { name, bytes: await slimProgram(bytes, time) };
}

/**
 * Of the map library, which is bundled, the page loads one file for each of its threads and a style sheet, and these hold its
 * dependencies. npm packs all of its package: sources, maps of them, builds for debugging, tools for styles.
 */
const unused = [
  /\.map$/,
  /^package\/node_modules\/maplibre-gl\/(?:src|build)\//,
  /^package\/node_modules\/maplibre-gl\/dist\/.*-dev\.mjs$/,
  /^package\/node_modules\/@maplibre\/(?:maplibre-gl-style-spec|mlt)\/(?!package\.json$|LICENSE)/,
];

/** The package without what is there for other uses of it. */
export function slimProgram(archive: Uint8Array, time: Date): Promise<Uint8Array> {
  const isUnused = (name: string) => name.startsWith("package/node_modules/") && unused.some((one) => one.test(name));
  return tarGzAgain(archive, time, (name) => !isUnused(name));
}

export async function clientPackage(scratch: string, time: Date): Promise<ReleaseFile> {
  const folder = await exportFolder("client", scratch);
  run([nodePath(), join(root, "node_modules/typescript/bin/tsc"), "--project", folder]);
  return await packed(folder, scratch, time, "--ignore-scripts");
}

export function hasPip(): boolean {
  return Bun.which("python3") !== null && Bun.spawnSync(["python3", "-m", "pip", "--version"]).success;
}

export async function pythonPackages(scratch: string, time: Date): Promise<ReleaseFile[]> {
  const folder = await exportFolder("client-python", scratch);
  const [tools, out] = [join(scratch, "python-tools"), join(scratch, "python-packages")];
  const requirements = join(scratch, "requirements.txt");
  await Bun.write(requirements, setuptools);
  const install = ["install", "--quiet", "--require-hashes", "--target", tools, "--requirement", requirements];
  run(["python3", "-m", "pip", "--disable-pip-version-check", ...install, "--no-compile"]);
  // In two processes: the first call changes the arguments that the second would see.
  for (const kind of ["sdist", "wheel"]) {
    const build = `import setuptools.build_meta, sys; setuptools.build_meta.build_${kind}(sys.argv[1])`;
    const env = { PYTHONPATH: tools, SOURCE_DATE_EPOCH: String(time.getTime() / 1000) };
    run(["python3", "-c", build, out], folder, env);
  }
  const files = (await readdir(out)).sort().map(async (name) => {
    const bytes = await Bun.file(join(out, name)).bytes();
    return { name, bytes: name.endsWith(".whl") ? zipAgain(bytes, time) : await tarGzAgain(bytes, time) };
  });
  return await Promise.all(files);
}

async function packed(folder: string, scratch: string, time: Date, ...words: string[]): Promise<ReleaseFile> {
  const [{ filename }] = JSON.parse(npm(["pack", "--json", "--pack-destination", scratch, ...words], folder));
  return { name: filename, bytes: await tarGzAgain(await Bun.file(join(scratch, filename)).bytes(), time) };
}
