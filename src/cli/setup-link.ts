import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLink } from "../access/one-time-links.ts";
import type { Observe } from "../observe/observation.ts";
import { hasAccounts } from "../store/accounts.ts";
import { type Database, isEmbedded } from "../store/database.ts";
import type { Terminal } from "./command.ts";

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
 * If there is no account yet, gives whoever started the server the link to make one. It goes to the terminal. Without one,
 * the output may be stored by others, so it goes to a file that only this user can read, until it is used. Returns the
 * function that ends this.
 */
export async function offerSetup(start: FirstStart): Promise<() => Promise<void>> {
  const { database, terminal, observe } = start;
  const file = join(start.dataDirectory, fileName);
  await rm(file, { force: true });
  if (await hasAccounts(database)) return nothing;
  const link = await makeLink(start);
  if (process.stdout.isTTY) {
    terminal.out(`There is no account yet. Create one within 24 hours at\n  ${link}`);
    return nothing;
  }
  try {
    await mkdir(start.dataDirectory, { recursive: true, mode: 0o700 });
    await writeFile(file, `${link}\n`, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    observe({ kind: "maintenance_failed", task: "writing the link to create an account", cause });
    return nothing;
  }
  terminal.out(`there is no account yet; the link to create one, for 24 hours, is in ${file}`);
  const remove = () => rm(file, { force: true });
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

async function makeLink({ database, origin }: FirstStart): Promise<string> {
  // Other nodes of PostgreSQL have links of their own. With SQLite this is the only server, and its last link is lost.
  const leavesOthers = !isEmbedded(database);
  const request = { purpose: "setup", accountId: null, userId: null, leavesOthers } as const;
  const { token } = await database.transaction((tx) => createLink(tx, request, Date.now()));
  // In the fragment, which a browser never sends: no log holds it.
  return `${origin}/portal/setup#${token}`;
}
