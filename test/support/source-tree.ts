import { readdir } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** Texts of files by their path from the repository's root. Rules are functions of one, so that they can be tested. */
export type SourceTree = ReadonlyMap<string, string>;

export interface Import {
  /** As written. */
  readonly specifier: string;
  /** The imported file's path in the tree, or null for a package or a built-in module. */
  readonly path: string | null;
  /** The names taken from it; null when it is all of them (`* as x`, `import()`, `export *`). */
  readonly names: readonly string[] | null;
}

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Statements begin at the start of a line (the formatter sees to it), which keeps comments and strings out. */
const statement = /^(?:import|export)\s+(?:type\s+)?([^;"'`=()]*?)\s*\bfrom\s*"([^"]+)"/gm;
const bareImport = /^import\s+"([^"]+)"/gm;
const dynamicImport = /\bimport\(\s*"([^"]+)"/g;
const urlOfFile = /\bnew URL\(\s*"(\.[^"]+)",\s*import\.meta\.url/g;
const htmlReference = /\b(?:src|href)="(\.[^"]+)"/g;

/**
 * Every file that belongs to the repository. Works without git, which a machine that runs the tests need not have: what
 * .gitignore names (plain names and `*.ending` only) is left out.
 */
export async function readRepository(): Promise<SourceTree> {
  const ignored = (await Bun.file(join(repository, ".gitignore")).text())
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => new Bun.Glob(line.replace(/\/$/, "")));
  const tree = new Map<string, string>();
  const visit = async (folder: string) => {
    for (const entry of await readdir(join(repository, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.name === ".git" || ignored.some((glob) => glob.match(entry.name))) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) tree.set(path, await Bun.file(join(repository, path)).text());
    }
  };
  await visit("");
  return new Map([...tree].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The files under the folders, e.g. `filesUnder(tree, "src", "test")`. */
export function filesUnder(tree: SourceTree, ...folders: readonly string[]): SourceTree {
  return new Map([...tree].filter(([path]) => folders.some((folder) => path.startsWith(`${folder}/`))));
}

export function isModule(path: string): boolean {
  return /\.(?:ts|tsx|mjs|mts)$/.test(path);
}

/** What a file refers to. Unlike `Bun.Transpiler().scanImports` this sees imports of types, too. */
export function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: string, names: readonly string[] | null) => {
    const isOurs = specifier.startsWith(".");
    found.push({ specifier, path: isOurs ? normalize(join(dirname(path), specifier)) : null, names });
  };
  if (path.endsWith(".html")) {
    for (const [, specifier = ""] of text.matchAll(htmlReference)) add(specifier, null);
    return found;
  }
  if (!isModule(path)) return found;
  for (const [, clause = "", specifier = ""] of text.matchAll(statement)) add(specifier, namesIn(clause));
  for (const [, specifier = ""] of text.matchAll(bareImport)) add(specifier, []);
  for (const [, specifier = ""] of text.matchAll(dynamicImport)) add(specifier, null);
  for (const [, specifier = ""] of text.matchAll(urlOfFile)) add(specifier, null);
  return found;
}

/** The names in `a, { b, type C as D }`, where what stands outside of the braces is the default. */
function namesIn(clause: string): string[] | null {
  if (clause.includes("*")) return null;
  const [outside = "", inside = ""] = clause.split(/[{}]/);
  const names = inside
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s.*/, ""),
    )
    .filter((name) => name !== "");
  return outside.replace(",", "").trim() === "" ? names : ["default", ...names];
}
