// `npm run release`: makes everything of a version. The work is in scripts/release/, which needs Bun and packages.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";

ensureInstalled({ production: false });

const bunPath = join(root, "node_modules/bun/bin/bun.exe");
const main = join(root, "scripts/release/main.ts");
const { status, error } = spawnSync(bunPath, ["--no-env-file", "--no-install", main, ...process.argv.slice(2)], {
  stdio: "inherit",
  // npm must be run by Node, also from a program that Bun runs.
  env: { ...process.env, npm_node_execpath: process.execPath },
});
if (error) process.stderr.write(`Bun could not be started: ${error.message}\n`);
process.exitCode = status ?? 1;
