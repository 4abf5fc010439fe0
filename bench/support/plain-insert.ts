import { Database } from "bun:sqlite";
import { join } from "node:path";
import { formatReported } from "../../src/domain/reported.ts";
import { arrivalOf } from "../../src/intake/arrival.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { readFrameBody } from "../../src/intake/read-frames.ts";

/** How many of the same frames SQLite alone inserts per second: prepared rows, one table, a durable commit per body. */
export function plainInsertRate(directory: string, bodies: readonly string[]): number {
  const database = new Database(join(directory, `plain-${crypto.randomUUID()}.db`));
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
  database.run(`create table frames (account_id integer not null, device integer not null, recorded_at integer not null,
    digest integer not null, received_at integer not null, fields_json text not null, fix integer, source text,
    sensors_json text, valid integer not null, reject_reason text, discontinuity integer not null,
    primary key (account_id, device, recorded_at, digest)) strict, without rowid`);
  const insert = database.prepare("insert into frames values (1, ?, ?, ?, ?, ?, null, null, null, 1, null, 0)");
  const encoder = new TextEncoder();
  const batches = bodies.map((body) =>
    readFrameBody(encoder.encode(body), null, Date.now())
      .filter((frame): frame is IncomingFrame => typeof frame !== "string")
      .map((incoming) => {
        const { imei, frame } = arrivalOf(incoming);
        return [Number(imei), frame.recordedAt, frame.digest, frame.receivedAt, formatReported(frame)] as const;
      }),
  );
  const began = performance.now();
  let count = 0;
  for (const batch of batches) {
    database.run("begin immediate");
    for (const row of batch) insert.run(...row);
    database.run("commit");
    count += batch.length;
  }
  const seconds = (performance.now() - began) / 1000;
  database.close();
  return count / seconds;
}
