import { AddressMeter } from "../access/address-meter.ts";
import { IngestAuthenticator } from "../access/ingest-authenticate.ts";
import { eraseMarked } from "../derive/erase-marked.ts";
import { watchOffline } from "../derive/offline-watch.ts";
import { Background } from "../derive/pace.ts";
import { dropOldFrames } from "../derive/retention.ts";
import { watchSilence } from "../derive/silent-trips.ts";
import { thinOldCheckpoints } from "../derive/thin-checkpoints.ts";
import { tidyChanges } from "../derive/tidy-changes.ts";
import { dayMs, formatInstant } from "../domain/time.ts";
import type { Observe } from "../observe/observation.ts";
import { repeat } from "../observe/repeat.ts";
import type { Database } from "../store/database.ts";
import { dropOldCounters } from "../store/old-counters.ts";
import { forgetUnknownDevices } from "../store/unknown-devices.ts";
import { upkeepOf } from "../store/upkeep.ts";
import { watchClock } from "./clock-watch.ts";
import { type AnswerIngest, answerIngest } from "./port.ts";
import { FrameQueue } from "./queue.ts";
import { UnknownDevices } from "./unknown-devices.ts";

/** How often to derive what another process left: frames that it stored, fences that it changed. */
const pollStoreMs = 500;
const offlineCheckMs = 30_000;
const silenceCheckMs = 20_000;
const clockCheckMs = 10 * 60 * 1000;
/** How often to look for devices of earlier rules that another node has left: one look into an index. */
const newerRulesMs = 10_000;
const oldChangesMs = 10 * 60 * 1000;
const oldCheckpointsMs = 60 * 60 * 1000;
/** How often to look for what is to be erased: one look into an index. */
const erasingCheckMs = 1_000;
const retentionMs = 60 * 60 * 1000;
/** A person who has just switched on a tracker waits for its IMEI to appear. */
const unknownDevicesMs = 1_000;
const oldUnknownDevicesMs = 60 * 60 * 1000;

export interface IngestOptions {
  readonly database: Database;
  readonly observe: Observe;
  /** The text of `/metrics`. */
  readonly metrics: () => Promise<string>;
  /** Raw frames that are older are dropped; null: none are. */
  readonly retainDays: number | null;
}

export interface IngestService {
  readonly writer: FrameQueue;
  readonly unknownDevices: UnknownDevices;
  readonly answer: AnswerIngest;
  close(): Promise<void>;
}

/** Everything that receives frames and derives facts from them. */
export function startIngest({ database, observe, metrics, retainDays }: IngestOptions): IngestService {
  const writer = new FrameQueue(database, observe);
  const unknownDevices = new UnknownDevices(database);
  const authenticator = new IngestAuthenticator(database);
  const chores = [
    repeat("late frames", pollStoreMs, observe, () => writer.schedule.deriveLeft()),
    repeat("newer rules", newerRulesMs, observe, (stop) => writer.upgrade.run(stop)),
    repeat("offline devices", offlineCheckMs, observe, (stop) => watchOffline(database, Date.now(), stop)),
    repeat("silent trips", silenceCheckMs, observe, (stop) => watchSilence(database, Date.now(), stop)),
    repeat("old counters", dayMs, observe, (stop) => dropOldCounters(database, Math.floor(Date.now() / dayMs), stop)),
    repeat("old changes", oldChangesMs, observe, (stop) => tidyChanges(database, Date.now(), stop)),
    repeat("old checkpoints", oldCheckpointsMs, observe, (stop) => thinOldCheckpoints(database, Date.now(), stop)),
    repeat("unknown devices", unknownDevicesMs, observe, () => unknownDevices.save(Date.now())),
    repeat("old unknown devices", oldUnknownDevicesMs, observe, () => forgetUnknownDevices(database, Date.now())),
    repeat("erasing", erasingCheckMs, observe, (stop) => eraseMarked(database, new Background(stop))),
    repeat("clock", clockCheckMs, observe, () => watchClock(database, Date.now(), observe)),
  ];
  for (const { task, everyMs, run } of upkeepOf(database)) chores.push(repeat(task, everyMs, observe, run));
  if (retainDays !== null) {
    chores.push(repeat("retention", retentionMs, observe, (stop) => retain(database, retainDays, observe, stop)));
  }
  return {
    writer,
    unknownDevices,
    answer: answerIngest({
      database,
      authenticator,
      addressMeter: new AddressMeter(),
      writer,
      unknownDevices,
      observe,
      metrics,
    }),
    async close() {
      const ends = chores.map((end) => end());
      await writer.schedule.close();
      await Promise.all(ends);
    },
  };
}

async function retain(database: Database, days: number, observe: Observe, stop: AbortSignal): Promise<void> {
  const before = Date.now() - days * dayMs;
  const count = await dropOldFrames(database, before, stop);
  if (count > 0) observe({ kind: "frames_dropped", count, before: formatInstant(before) });
}
