import { join } from "node:path";
import { fileURLToPath } from "node:url";

const entries = {
  reference: new URL("./reference/page/main.ts", import.meta.url),
  guide: new URL("./guide/page/main.ts", import.meta.url),
} as const;

type PageName = keyof typeof entries;

export const scriptNames = Object.keys(entries) as PageName[];

/** What scripts/one-file.ts calls it in the program. */
export function scriptFile(page: PageName): string {
  return `${page}.js`;
}

/** A page's script: from inside a compiled program, otherwise bundled from its sources. */
export async function pageScript(page: PageName): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.isStandaloneExecutable ? Bun.file(join(import.meta.dir, scriptFile(page))).bytes() : buildScript(page);
}

export async function buildScript(page: PageName): Promise<Uint8Array<ArrayBuffer>> {
  const entry = fileURLToPath(entries[page]);
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife", minify: true });
  const [script] = outputs;
  if (!script) throw new Error(`the script of the ${page} was not built`);
  return new Uint8Array(await script.arrayBuffer());
}
