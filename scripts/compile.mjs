// `npm run compile`: makes dist/odograph, one file that runs on a machine without Node, Bun or packages.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findBun } from "../bin/launch.mjs";
import { ensureInstalled, root } from "./install.mjs";

ensureInstalled({ production: true });

const compile = join(root, "scripts/compile.ts");
const [outfile = join(root, "dist/odograph"), ...more] = process.argv.slice(2);
if (outfile.startsWith("-") || more.length > 0) {
  process.stderr.write("Usage: npm run compile -- [FILE]\n");
  process.exit(2);
}
const { status, error } = spawnSync(findBun(), ["--no-env-file", "--no-install", compile, outfile], {
  stdio: "inherit",
});
if (error) process.stderr.write(`Bun could not be started: ${error.message}\n`);
process.exitCode = status ?? 1;
