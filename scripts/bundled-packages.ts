// The packages in the compiled program and in the portal's page, according to the bundler, so that none is forgotten.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { portalBuild } from "../src/portal/bundle.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The program, and the threads that it starts, which must be named because nothing imports them. */
export const compiledEntries = ["main", "ingest-thread", "tracker-thread", "demo-thread"].map((name) =>
  fileOf(`../src/cli/${name}.ts`),
);

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** Its folder, as package-lock.json names it. */
  readonly path: string;
  readonly licence: string;
  /** The copyright holders, as the licence names them. */
  readonly holders: readonly string[];
  readonly licenceText: string;
}

/** MapLibre's own file holds these already, so our bundler does not see them. */
const bundledBefore = "maplibre-gl";

/** By name. A package that is there in two versions is listed twice. */
export async function bundledPackages(): Promise<BundledPackage[]> {
  const builds = await Promise.all([
    Bun.build({ entrypoints: compiledEntries, target: "bun", metafile: true }),
    Bun.build({ ...portalBuild, metafile: true }),
  ]);
  const folders = new Set<string>();
  for (const path of builds.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}))) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(resolve(path))?.[0];
    if (folder === undefined) continue;
    folders.add(folder);
    if (folder.endsWith(`/${bundledBefore}`)) for (const inner of dependenciesOf(folder)) folders.add(inner);
  }
  return [...folders].map(readBundled).sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
}

interface UnsaidLicence {
  readonly licence: string;
  /** As the package's repository has it. */
  readonly text: string;
}

/** Packages that do not say it themselves in this version; their repositories do. */
const unsaidLicences: Readonly<Record<string, UnsaidLicence>> = {
  "@mapbox/jsonlint-lines-primitives": { licence: "MIT", text: "licences/jsonlint-lines-primitives.txt" },
};

function readBundled(folder: string): BundledPackage {
  const file = readPackage(folder);
  const unsaid = file.license === undefined ? unsaidLicences[file.name] : undefined;
  const licenceText = unsaid ? readFileSync(fileOf(unsaid.text), "utf8").trim() : readLicence(folder);
  const licence = file.license ?? unsaid?.licence;
  if (licence === undefined)
    throw new Error(`${file.name} names no licence: look for it, and add it to unsaidLicences`);
  return {
    name: file.name,
    version: file.version,
    path: relative(fileOf(".."), folder),
    licence,
    holders: holdersOf(file, licenceText),
    licenceText,
  };
}

function orderOf({ name, version, path }: BundledPackage): string {
  return [name, version, path].join(" ");
}

/** The dependencies of a package and their dependencies, without packages that contain only types. */
function dependenciesOf(folder: string): string[] {
  const direct = Object.keys(readPackage(folder).dependencies ?? {})
    .filter((name) => !name.startsWith("@types/"))
    .map((name) => findPackage(folder, name));
  return direct.flatMap((found) => [found, ...dependenciesOf(found)]);
}

/** As Node finds it: in the folder's own node_modules, or in one above. */
function findPackage(folder: string, name: string): string {
  const found = join(folder, "node_modules", name);
  if (existsSync(join(found, "package.json"))) return found;
  if (dirname(folder) === folder) throw new Error(`${name} is not installed`);
  return findPackage(dirname(folder), name);
}

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function readLicence(folder: string): string {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (name === undefined) return "";
  return readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim();
}

/** Few say it in the package's own words only. */
function holdersOf({ author }: PackageFile, licenceText: string): string[] {
  const lines = licenceText.split("\n").map((line) => line.trim().replace(/^[#*\s]+/, ""));
  const holders = new Set(lines.filter((line) => /^Copyright (?:\([cC]\)|\d{4}|[A-Z])/.test(line)));
  const name = typeof author === "string" ? author : author?.name;
  return holders.size === 0 && name ? [`Copyright ${name}`] : [...holders];
}
