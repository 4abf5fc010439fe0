// The programs that a release needs: git, npm, Python.
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program and returns what it printed. Throws what it complained about if it failed. */
export function run(command: readonly string[], cwd = root, env: Readonly<Record<string, string>> = {}): string {
  const { success, stdout, stderr } = Bun.spawnSync([...command], { cwd, env: { ...process.env, ...env } });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString().trim() || stdout.toString().trim()}`);
  return stdout.toString().trim();
}

/** The npm that started us, so that it is the one the user chose; otherwise the one on the path. */
export function npm(args: readonly string[], cwd = root): string {
  const started = process.env.npm_execpath ?? "";
  const command = basename(started) === "npm-cli.js" ? [nodePath(), started] : ["npm"];
  return run([...command, "--loglevel=error", ...args], cwd);
}

export function nodePath(): string {
  return process.env.npm_node_execpath ?? "node";
}

/** Writes the files of the commit below a folder: those that git ignores are not part of a release. */
export async function exportFolder(folder: string, into: string): Promise<string> {
  const archive = new Bun.Archive(Bun.spawnSync(["git", "archive", "HEAD", folder], { cwd: root }).stdout);
  await archive.extract(into);
  return join(into, folder);
}
