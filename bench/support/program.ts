import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ownRoot = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the program of a checkout without the launcher, whose process would be measured in its place. */
export function programOf(root: string): string[] {
  return [join(root, "node_modules/.bin/bun"), "--no-env-file", join(root, "src/cli/main.ts")];
}
