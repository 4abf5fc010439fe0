import { AddressMeter } from "../access/address-meter.ts";
import { endExpiredShares } from "../access/end-shares.ts";
import { IngestAuthenticator } from "../access/ingest-authenticate.ts";
import { Background } from "../derive/pace.ts";
import { eraseMarked } from "../derive/upkeep/erase-marked.ts";
import { Leader, type LeaseTimes } from "../derive/upkeep/leader.ts";
import { watchOffline } from "../derive/upkeep/offline-watch.ts";
import { retainFrames } from "../derive/upkeep/retention-guard.ts";
import { watchSilence } from "../derive/upkeep/silent-trips.ts";
import { thinOldCheckpoints } from "../derive/upkeep/thin-checkpoints.ts";
import { tidyChanges } from "../derive/upkeep/tidy-changes.ts";
import { dayMs, dayOf } from "../domain/time/time.ts";
import type { Observe } from "../observe/observation.ts";
import { repeat } from "../observe/repeat.ts";
import { storeNow } from "../store/clock.ts";
import type { Database, Reader } from "../store/database.ts";
import { forgetExpectedTrackers } from "../store/fleet/expected-trackers.ts";
import { namelessDevices } from "../store/fleet/tracker-names.ts";
import { forgetUnknownDevices } from "../store/fleet/unknown-devices.ts";
import { markAllAccounts } from "../store/upkeep/account-marks.ts";
import { dropOldCounters, upkeepOf } from "../store/upkeep/upkeep.ts";
import { watchClock } from "./clock-watch.ts";
import { type AnswerIngest, answerIngest } from "./port.ts";
import { FrameQueue } from "./queue.ts";
import { TrackerWatch } from "./tracker-watch.ts";
import { UnknownDevices } from "./unknown-devices.ts";

/** So many are counted. More would be an invented fleet. */
const maxCounted = 1_000;

const advice =
  "a tracker cannot say which of the two IMEIs it means, so the older device has it; `odograph trackers taken` lists them: give each another IMEI, or remove it";

/** Says that there are devices without a tracker, because their IMEIs differ from another's in leading zeros only. */
async function warnOfTakenNames(reader: Reader, observe: Observe): Promise<void> {
  const nameless = await namelessDevices(reader, maxCounted);
  const [first] = nameless;
  if (first === undefined) return;
  const { imei, held_by: heldBy } = first;
  observe({ kind: "tracker_names_taken", devices: nameless.length, imei, heldBy, advice });
}

/** How often to derive what another process left: frames that it stored, fences that it changed. */
const pollStoreMs = 500;
const offlineCheckMs = 30_000;
const silenceCheckMs = 20_000;
const clockCheckMs = 10 * 60 * 1000;
/** How often to go on with devices of earlier rules, if there are any. */
const newerRulesMs = 10_000;
/** Work that looks into every account: some statements for each (docs/performance.md has the figures). */
const eachAccountMs = 60 * 60 * 1000;
/** How often to look for what is to be erased: one look into an index. */
const erasingCheckMs = 1_000;
/** How often to see whether the doubt about the clock is over, which held up retention. */
const doubtCheckMs = 1_000;
/** A person who has just switched on a tracker waits for its IMEI to appear. */
const unknownDevicesMs = 1_000;
/** A link that is over shows nothing; this notes it for the list and the log. */
const expiredSharesMs = 60_000;
/** How soon the owner sees that the clock of a tracker is wrong. */
const trackerFaultsMs = 1_000;

export interface IngestOptions {
  readonly database: Database;
  readonly observe: Observe;
  readonly metrics: () => Promise<string>;
  /** Raw frames that are older are dropped; null: none are. */
  readonly retainDays: number | null;
  /** Whether retention drops what the clock calls old, even if that is everything: an operator has checked the clock. */
  readonly trustsClock?: boolean;
  readonly now?: () => number;
  /** How far the store's clock may be ahead of the right time. As long as it may be, nothing is forgotten for its age. */
  readonly clockDoubtMs?: () => number;
  /** Since when the store's clock has run on without being set; null: not known. */
  readonly clockWatchedSince?: () => number | null;
  /** Whether this server is about to stop, so that balancers should send it no more requests. */
  readonly isDraining?: () => boolean;
  /** How long this node leads without being heard of; a test may want less. */
  readonly lease?: LeaseTimes;
}

export interface IngestService {
  readonly writer: FrameQueue;
  readonly unknownDevices: UnknownDevices;
  readonly trackers: TrackerWatch;
  readonly answer: AnswerIngest;
  /** Whether this node does the work that one node does for all. */
  readonly isLeading: () => boolean;
  close(): Promise<void>;
}

/**
 * Everything that receives frames and derives facts from them. Some of what is repeated is done by one node for all, some is
 * shared, and some is about the node itself ([decision 0030](../../docs/decisions/0030-work-that-one-node-does.md)).
 */
export function startIngest(options: IngestOptions): IngestService {
  const { database, observe, metrics, retainDays, now = () => Date.now(), lease, isDraining = () => false } = options;
  const { clockDoubtMs = () => 0, clockWatchedSince = () => null, trustsClock = false } = options;
  const trackers = new TrackerWatch(database, observe);
  const writer = new FrameQueue(database, observe, undefined, trackers);
  const unknownDevices = new UnknownDevices(database);
  const authenticator = new IngestAuthenticator(database);
  const leader = new Leader(database, observe, lease);
  /** By the store's clock: the leader's own may be wrong, and another node may lead next. */
  const led = (
    task: string,
    everyMs: number | (() => number),
    work: (now: number, stop: AbortSignal) => Promise<unknown>,
  ) => {
    const timed = async (stop: AbortSignal) => work(await storeNow(database), stop);
    return repeat(task, everyMs, observe, (stop) => leader.lead(stop, timed));
  };
  /** Frames that come meanwhile, or an operator, end the doubt; then it is done in the next round. */
  const ledWithoutDoubt: typeof led = (task, everyMs, work) =>
    led(task, everyMs, async (now, stop) => (clockDoubtMs() > 0 ? null : work(now, stop)));
  const chores = [
    led("late frames", pollStoreMs, (_, stop) => writer.schedule.deriveLeft(stop)),
    led("offline devices", offlineCheckMs, (now, stop) => watchOffline(database, now, stop)),
    led("silent trips", silenceCheckMs, (now, stop) => watchSilence(database, now, stop)),
    ledWithoutDoubt("old counters", dayMs, (now, stop) => dropOldCounters(database, dayOf(now), new Background(stop))),
    led("marks", eachAccountMs, (now, stop) => markAllAccounts(database, now, new Background(stop))),
    ledWithoutDoubt("old changes", eachAccountMs, (now, stop) => tidyChanges(database, now, stop)),
    ledWithoutDoubt("old checkpoints", eachAccountMs, (now, stop) => thinOldCheckpoints(database, now, stop)),
    ledWithoutDoubt("old unknown devices", eachAccountMs, async (now, stop) => {
      await forgetExpectedTrackers(database, now);
      await forgetUnknownDevices(database, now, new Background(stop));
    }),
    ledWithoutDoubt("expired share links", expiredSharesMs, (now) => endExpiredShares(database, now)),
    led("clock", clockCheckMs, (now, stop) => watchClock(database, now, observe, new Background(stop))),
    led("tracker names", dayMs, () => warnOfTakenNames(database, observe)),
    led("erasing", erasingCheckMs, (_, stop) => eraseMarked(database, new Background(stop))),
    repeat("newer rules", newerRulesMs, observe, (stop) => writer.upgrade.runWhenWanted(stop)),
    repeat("unknown devices", unknownDevicesMs, observe, () => unknownDevices.save(now())),
    repeat("tracker faults", trackerFaultsMs, observe, () => trackers.save()),
  ];
  for (const { task, everyMs, run } of upkeepOf(database)) chores.push(led(task, everyMs, run));
  if (retainDays !== null) {
    /** By the process's own counter: when the operator was last warned of the doubt that holds it up. */
    let warnedAt: number | null = null;
    const retain = async (now: number, stop: AbortSignal) => {
      const isClockDoubted = !trustsClock && clockDoubtMs() > 0;
      if (isClockDoubted && warnedAt !== null && performance.now() - warnedAt < eachAccountMs) return;
      warnedAt = isClockDoubted ? performance.now() : null;
      const clock = { isClockDoubted, clockWatchedSince: clockWatchedSince(), trustsClock };
      await retainFrames(database, { now, retainDays, ...clock }, observe, stop);
    };
    chores.push(led("retention", () => (warnedAt === null ? eachAccountMs : doubtCheckMs), retain));
  }
  return {
    writer,
    unknownDevices,
    trackers,
    answer: answerIngest({
      database,
      authenticator,
      addressMeter: new AddressMeter(),
      writer,
      unknownDevices,
      observe,
      metrics,
      now,
      isDraining,
    }),
    isLeading: () => leader.isLeading,
    async close() {
      const ends = chores.map((end) => end());
      await writer.schedule.close();
      await Promise.all(ends);
      // Another node takes over after a while in any case.
      await leader.close().catch((cause) => observe({ kind: "maintenance_failed", task: "leading", cause }));
    },
  };
}
