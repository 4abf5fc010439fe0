import { join } from "node:path";

/** A file as it comes from the bundler, or from inside the program. */
export interface BuiltFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The folder that scripts/one-file.ts puts into the program, and the list of what it holds. */
export const embeddedFolder = "portal-files";
export const manifestName = "manifest.json";

/** The files inside a compiled program; null if the page has to be bundled from its sources. */
export async function embeddedFiles(): Promise<BuiltFile[] | null> {
  if (!Bun.isStandaloneExecutable) return null;
  const folder = join(import.meta.dir, embeddedFolder);
  const contentTypes: Record<string, string> = await Bun.file(join(folder, manifestName)).json();
  return Promise.all(
    Object.entries(contentTypes).map(async ([name, contentType]) => ({
      name,
      contentType,
      bytes: await Bun.file(join(folder, name)).bytes(),
    })),
  );
}
