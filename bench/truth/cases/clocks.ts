import type { Bench, Case } from "../bench.ts";
import type { Row, SummaryRow } from "../table.ts";
import { begin, everything, framesOf, home } from "../track.ts";
import { trackerClockRows } from "./tracker-clocks.ts";

const dayMs = 86_400_000;
const rolloverMs = 1024 * 7 * dayMs;

interface Clock {
  readonly what: string;
  readonly sentAt: number;
  /** What must come out: the true time, the time as sent, or the refusal. */
  readonly wanted: number | "time_invalid" | "future_time" | "too_old";
}

/** All are received now; `meant` is when the frame was really recorded. */
const now = begin;
const meant = now - 30_000;

const clocks: readonly Clock[] = [
  { what: "right", sentAt: meant, wanted: meant },
  { what: "1970, the clock of a tracker that was just switched on", sentAt: 45_000, wanted: "time_invalid" },
  { what: "1980-01-06, GPS before the first fix", sentAt: Date.UTC(1980, 0, 6), wanted: "time_invalid" },
  { what: "2000-01-01, a chip's default", sentAt: Date.UTC(2000, 0, 1), wanted: "time_invalid" },
  { what: "2010-01-01, a default too", sentAt: Date.UTC(2010, 0, 1), wanted: "time_invalid" },
  { what: "one rollover", sentAt: meant - rolloverMs, wanted: meant },
  { what: "two rollovers", sentAt: meant - 2 * rolloverMs, wanted: meant },
  { what: "one rollover, sent ten days late", sentAt: meant - 10 * dayMs - rolloverMs, wanted: meant - 10 * dayMs },
  { what: "a day ahead", sentAt: now + dayMs, wanted: "future_time" },
  { what: "four minutes ahead", sentAt: now + 240_000, wanted: now + 240_000 },
  { what: "300 days late", sentAt: now - 300 * dayMs, wanted: now - 300 * dayMs },
  { what: "500 days late", sentAt: now - 500 * dayMs, wanted: "too_old" },
];

const text = (at: number) => new Date(at).toISOString().slice(0, 19).replace("T", " ");

function rowOf(bench: Bench, { what, sentAt, wanted }: Clock): Row {
  const [frame] = framesOf([{ ...home, at: sentAt, kmh: 0, metres: 0, ignition: true }], everything);
  if (frame === undefined) throw new Error("there is a frame");
  const arrival = bench.rules.arrivalOf({ ...frame, imei: "356938035643809", receivedAt: now });
  const { recordedAt } = arrival.frame;
  const isMet =
    typeof wanted === "number" ? arrival.timeProblem === null && recordedAt === wanted : arrival.timeProblem === wanted;
  // A time that is neither the one sent nor the true one was invented, even if the frame is refused.
  const isInvented = recordedAt !== sentAt && recordedAt !== wanted && recordedAt !== now;
  return {
    what: `${what}: sent ${text(sentAt)}`,
    measured: `${text(recordedAt)}, ${arrival.timeProblem ?? "valid"}${isInvented ? ", invented" : ""}`,
    truth: typeof wanted === "number" ? text(wanted) : "unknown",
    goal: typeof wanted === "number" ? text(wanted) : `${wanted}, no invented date`,
    isMet: isMet && !isInvented,
  };
}

export const clockTimes: Case = {
  name: "clocks",
  run: (bench) => {
    const rows = clocks.map((clock) => rowOf(bench, clock));
    const wrong = rows.filter(({ isMet }) => !isMet);
    const summary: SummaryRow = {
      what: "clocks: 1970, 1980, 2000, rollovers, ahead, late",
      now: `${rows.length - wrong.length} of ${rows.length} right`,
      goal: "no invented date",
      isMet: wrong.length === 0,
    };
    const ofTrackers = trackerClockRows(bench);
    const found = ofTrackers.filter(({ isMet }) => isMet).length;
    const summaryOfTrackers: SummaryRow = {
      what: "clocks that are off by 6 min, 3 h, a zone, −40 min; right ones that send late",
      now: `${found} of ${ofTrackers.length} right`,
      goal: "suspected within 20 live frames, then right; no other suspected",
      isMet: found === ofTrackers.length,
    };
    return { rows: [...rows, ...ofTrackers], summary: [summary, summaryOfTrackers] };
  },
};
