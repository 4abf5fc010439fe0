import { Leader } from "../../src/derive/upkeep/leader.ts";
import type { Database } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open.ts";

/**
 * Leads the nodes of a store, and does nothing. The frames of a measurement are of the past, so the node that leads would end their
 * trips by the clock for minutes, while something else is measured on the same servers.
 */
export class IdleLeader {
  readonly #database: Database;
  readonly #leader: Leader;

  private constructor(database: Database) {
    this.#database = database;
    this.#leader = new Leader(database, () => {});
  }

  static async of(databaseUrl: string): Promise<IdleLeader> {
    const target = { engine: "postgres", url: databaseUrl, poolSize: 1 } as const;
    const leader = new IdleLeader(await openDatabase(target, { create: false }));
    while (!leader.#leader.isLeading) await Bun.sleep(20);
    return leader;
  }

  async close(): Promise<void> {
    await this.#leader.close();
    await this.#database.close();
  }
}
