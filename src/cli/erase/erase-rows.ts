import { type Erased, eraseMarked } from "../../derive/erase-marked.ts";
import { BesideServer, foreground, type Pace } from "../../derive/pace.ts";
import type { Database } from "../../store/database.ts";
import { isServed } from "../../store/sqlite/server-lock.ts";
import type { Call } from "../common/command.ts";

/** A block of frames is one row. */
const framesPerRow = 120;

/** Erases all that is marked, and says how far it is. */
export function eraseRows(call: Call, database: Database, frames: number): Promise<Erased> {
  let done = 0;
  const total = frames / framesPerRow;
  return eraseMarked(database, paceOf(call), (rows) => {
    done += rows;
    call.terminal.progress("erasing", Math.min(done, total), total);
  });
}

/** PostgreSQL lets others write meanwhile. */
function paceOf(call: Call): Pace {
  const { store } = call.settings();
  return store.engine === "postgres" ? foreground : new BesideServer(() => isServed(store.directory));
}
