import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What scripts/compile.ts calls it in the program. */
export const scriptName = "reference.js";

const entry = fileURLToPath(new URL("./page/main.ts", import.meta.url));

/** The page's script: from inside a compiled program, otherwise bundled from its sources. */
export async function pageScript(): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.isStandaloneExecutable ? Bun.file(join(import.meta.dir, scriptName)).bytes() : buildScript();
}

export async function buildScript(): Promise<Uint8Array<ArrayBuffer>> {
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife", minify: true });
  const [script] = outputs;
  if (!script) throw new Error("the reference was built without its script");
  return new Uint8Array(await script.arrayBuffer());
}
