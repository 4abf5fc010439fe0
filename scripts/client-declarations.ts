import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Writes the declarations of the TypeScript client, which the server packs without a compiler:
// `bun scripts/client-declarations.ts`. A test compares.

const root = Bun.fileURLToPath(new URL("..", import.meta.url));

/** The declarations, by their path. The files below types/ are their own. */
export async function clientDeclarations(): Promise<Readonly<Record<string, string>>> {
  const scratch = await mkdtemp(join(tmpdir(), "odograph-declarations-"));
  try {
    const compiler = join(root, "node_modules/.bin/tsc");
    const words = ["--project", join(root, "client"), "--outDir", scratch, "--emitDeclarationOnly"];
    const { success, stdout } = Bun.spawnSync([compiler, ...words]);
    if (!success) throw new Error(stdout.toString());
    const names = (await readdir(scratch)).filter((name) => name.endsWith(".d.ts")).sort();
    const files = names.map(async (name) => {
      const text = await Bun.file(join(scratch, name)).text();
      return [join(root, "client/declarations", name), text] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await clientDeclarations())) await Bun.write(path, text);
}
