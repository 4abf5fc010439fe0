import { fileURLToPath } from "node:url";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";

export interface BusyWriter extends AsyncDisposable {
  readonly pid: number;
  /** Resolves when it has begun one more transaction. */
  nextTransaction(): Promise<void>;
}

/** A process of its own that writes to an embedded store until it is disposed of, transactions that take so long each. */
export async function busyWriter(directory: string, transactionMs: number): Promise<BusyWriter> {
  const child = Bun.spawn([process.execPath, fileURLToPath(import.meta.url), directory, String(transactionMs)], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const began = child.stdout.getReader();
  const nextTransaction = async () => {
    if ((await began.read()).done) throw new Error("the writer has ended");
  };
  await nextTransaction();
  return {
    pid: child.pid,
    nextTransaction,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

if (import.meta.main) {
  const [directory = "", transactionMs = ""] = process.argv.slice(2);
  const database = await openDatabase({ engine: "sqlite", directory }, { create: false });
  const write = () =>
    database.transaction(async (tx) => {
      await tx.run(sql`delete from secrets where name = 'nobody'`);
      process.stdout.write(".");
      // Blocks the thread, as SQLite does.
      Bun.sleepSync(Number(transactionMs));
    });
  // There is always one more that waits.
  for (let next = write(); ; ) {
    const current = next;
    next = write();
    await current;
  }
}
