import { isEmbedded, type Reader, type Row, type Transaction } from "./database.ts";
import { allRows } from "./sql.ts";

/** Others wait for about so long. */
const maxHeldMs = 5;
/** The embedded store writes them in a few milliseconds; a server takes all of them at once. */
const rowsWritten = 100;

export function turnOfLoop(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** The embedded store works in the thread that answers everybody. Work of many statements shares it between them. */
export class SharedThread {
  #since = performance.now();

  async share(): Promise<void> {
    if (performance.now() - this.#since < maxHeldMs) return;
    await turnOfLoop();
    this.#since = performance.now();
  }

  reader(reader: Pick<Reader, "all" | "get">): Pick<Reader, "all" | "get"> {
    return {
      all: (query) =>
        allRows(query, async (one) => {
          await this.share();
          return reader.all(one);
        }),
      get: async (query) => {
        await this.share();
        return reader.get(query);
      },
    };
  }

  transaction(tx: Transaction): Transaction {
    const inParts = async (rows: readonly Row[], write: (part: readonly Row[]) => Promise<number>) => {
      if (!isEmbedded(tx)) return write(rows);
      let changed = 0;
      for (let start = 0; start < rows.length; start += rowsWritten) {
        await this.share();
        changed += await write(rows.slice(start, start + rowsWritten));
      }
      return changed;
    };
    return {
      engine: tx.engine,
      ...this.reader(tx),
      run: (query) => this.share().then(() => tx.run(query)),
      write: (query, rows) => this.share().then(() => tx.write(query, rows)),
      writeAny: (query) => this.share().then(() => tx.writeAny(query)),
      insertMany: (table, rows) => inParts(rows, (part) => tx.insertMany(table, part)),
      updateMany: (update, rows) => inParts(rows, (part) => tx.updateMany(update, part)),
      lock: (name, waitMs) => tx.lock(name, waitMs),
    };
  }
}
