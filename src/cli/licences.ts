import { join } from "node:path";

/** What scripts/one-file.ts puts into the program: the NOTICE, and the licence of each package in full. */
export const licencesName = "licences.txt";

/** Whose work is in this program, and under which terms. */
export async function licences(): Promise<string> {
  if (Bun.isStandaloneExecutable) return Bun.file(join(import.meta.dir, licencesName)).text();
  const notice = await Bun.file(join(import.meta.dir, "../../NOTICE")).text();
  return `${notice}\nThe licence of each package is in its folder in node_modules.\n`;
}
