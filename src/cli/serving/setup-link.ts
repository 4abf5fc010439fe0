import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLink } from "../../access/one-time-links.ts";
import type { Observe } from "../../observe/observation.ts";
import { type Database, isEmbedded } from "../../store/database.ts";
import { hasAccounts } from "../../store/fleet/accounts.ts";
import type { Terminal } from "../common/command.ts";

interface FirstStart {
  readonly database: Database;
  /** Where people reach the portal, without `/portal`. */
  readonly origin: string;
  readonly dataDirectory: string;
  readonly terminal: Terminal;
  readonly observe: Observe;
}

const fileName = "setup-link";
/** A link that no longer works should not lie around. */
const lookEveryMs = 1_000;

const nothing = async () => {};

/**
 * If there is no account yet, gives the operator the link to make one. It goes to the terminal. Without one,
 * the output may be stored by others, so it goes to a file that only this user can read, until it is used. Returns the
 * function that ends this.
 */
export async function offerSetup(start: FirstStart): Promise<() => Promise<void>> {
  try {
    return await offer(start);
  } catch (cause) {
    // A server that runs is worth more than its link.
    start.observe({ kind: "maintenance_failed", task: "making the link to create an account", cause });
    return nothing;
  }
}

async function offer(start: FirstStart): Promise<() => Promise<void>> {
  const { database, dataDirectory, terminal, observe } = start;
  const file = join(dataDirectory, fileName);
  const isNeeded = !(await hasAccounts(database));
  // One of an earlier start.
  if (!isNeeded || process.stdout.isTTY) await rm(file, { force: true });
  if (!isNeeded) return nothing;
  const link = await makeLink(start);
  if (process.stdout.isTTY) {
    terminal.out(`There is no account yet. Create one within 24 hours at\n  ${link}`);
    return nothing;
  }
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await replaceFile(file, `${link}\n`);
  terminal.out(`there is no account yet; the link to create one, for 24 hours, is in ${file}`);
  const remove = async () => {
    // Another node of the same directory may have written its own.
    const content = await readFile(file, "utf8").catch(() => null);
    if (content?.trim() === link) await rm(file, { force: true });
  };
  const timer = setInterval(async () => {
    // The next look comes soon.
    if (!(await hasAccounts(database).catch(() => false))) return;
    clearInterval(timer);
    await remove().catch((cause) => observe({ kind: "maintenance_failed", task: `removing ${file}`, cause }));
  }, lookEveryMs);
  return async () => {
    clearInterval(timer);
    await remove();
  };
}

/** Nobody else can read it at any moment, whatever was there before. */
async function replaceFile(file: string, text: string): Promise<void> {
  const made = `${file}.${crypto.randomUUID()}`;
  await writeFile(made, text, { mode: 0o600, flag: "wx" });
  await rename(made, file);
}

async function makeLink({ database, origin }: FirstStart): Promise<string> {
  // Other nodes of PostgreSQL have links of their own. With SQLite this is the only server, and its last link is lost.
  const leavesOthers = !isEmbedded(database);
  const request = { purpose: "setup", accountId: null, userId: null, leavesOthers } as const;
  const { token } = await database.transaction((tx) => createLink(tx, request, Date.now()));
  // In the fragment, which a browser never sends: no log holds it.
  return `${origin}/portal/setup#${token}`;
}
