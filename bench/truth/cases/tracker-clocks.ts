import type { Arrival } from "../../../src/derive/arrival.ts";
import type { OffsetRun } from "../../../src/domain/quality/clock-offset.ts";
import type { Random } from "../../../src/simulator/random.ts";
import type { Bench } from "../bench.ts";
import { driven } from "../driving.ts";
import { layWay } from "../roads.ts";
import { thinned } from "../spoil.ts";
import { percent, type Row } from "../table.ts";
import { begin, everything, framesOf, type Moment } from "../track.ts";

const steps = [1, 10, 30, 60];
const imei = "356938035643809";
const hourS = 3_600;

/** What the tracker shows too much, and what its owner sets. In June Berlin is two hours ahead. */
const clocks = [
  { what: "6 min fast", aheadS: 360, clock: "+360s" },
  { what: "3 h fast", aheadS: 3 * hourS, clock: "+03:00" },
  { what: "the local time of Berlin, sent as UTC", aheadS: 2 * hourS, clock: "Europe/Berlin" },
  { what: "40 min slow", aheadS: -2_400, clock: "-2400s" },
];

interface Sent {
  readonly moment: Moment;
  readonly receivedAt: number;
}

/** Most frames arrive within seconds, some within half a minute; in the order in which they arrive. */
function live(track: readonly Moment[], random: Random): Sent[] {
  return track
    .map((moment) => {
      const lateS = random.chance(0.03) ? random.between(10, 30) : random.between(0.5, 6);
      return { moment, receivedAt: moment.at + Math.round(lateS * 1000) };
    })
    .sort((one, other) => one.receivedAt - other.receivedAt);
}

function drive(bench: Bench, stepS: number): Moment[] {
  const random = bench.random(500, stepS);
  const way = layWay(random, [
    { kind: "city grid", metres: 6_000 },
    { kind: "country road", metres: 30_000 },
  ]);
  return thinned(driven(way, { from: begin }), stepS * 1000, 0);
}

function arrivalOf(bench: Bench, { moment, receivedAt }: Sent, aheadS: number): Arrival {
  const [frame] = framesOf([{ ...moment, at: moment.at + aheadS * 1000 }], everything);
  if (frame === undefined) throw new Error("there is a frame");
  return bench.rules.arrivalOf({ ...frame, imei, receivedAt });
}

/** With how many frames the clock was found out, and what was found; null: it was not. */
function suspicionOf(bench: Bench, sent: readonly Sent[], aheadS: number): { frames: number; foundS: number } | null {
  const { offsets } = bench.rules;
  if (offsets === null) return null;
  let run: OffsetRun | undefined;
  for (const [index, one] of sent.entries()) {
    run = offsets.nextOffsetRun(run, one.moment.at + aheadS * 1000, one.receivedAt);
    const foundS = offsets.steadyOffsetS(run) ?? 0;
    if (foundS !== 0) return { frames: index + 1, foundS };
  }
  return null;
}

function wrongRow(bench: Bench, { what, aheadS, clock }: (typeof clocks)[number]): Row {
  const frames: string[] = [];
  const errors: number[] = [];
  let isMet = true;
  for (const stepS of steps) {
    const sent = live(drive(bench, stepS), bench.random(501, stepS, aheadS));
    const found = suspicionOf(bench, sent, aheadS);
    frames.push(found === null ? "never" : String(found.frames));
    isMet &&= found !== null && found.frames <= 20 && Math.abs(found.foundS - aheadS) <= 10;
    // The owner sets it then; the rest of the drive is to be right.
    const rest = sent.slice(found?.frames ?? 0);
    const shown = bench.rules.shownBy;
    const arrivals = rest.map((one) => arrivalOf(bench, one, aheadS));
    const byClock = shown === null || found === null ? arrivals : arrivals.map((arrival) => shown(arrival, clock));
    const believed = byClock.filter(({ timeProblem }) => timeProblem === null).map(({ frame }) => frame);
    const inOrder = believed.sort((one, other) => one.recordedAt - other.recordedAt);
    const rightly = rest.map(({ moment }) => moment).sort((one, other) => one.at - other.at);
    const error = bench.derive(inOrder).km / bench.derive(framesOf(rightly, everything)).km - 1;
    errors.push(error);
    isMet &&= error === 0 && inOrder.every(({ recordedAt }, index) => recordedAt === rightly[index]?.at);
  }
  const worst = errors.reduce((most, error) => (Math.abs(error) > Math.abs(most) ? error : most), 0);
  return {
    what: `a clock that is off: ${what}; a frame every ${steps.join(", ")} s`,
    measured: `found with frame ${frames.join(", ")}; then ${percent(worst)} km against a right clock`,
    truth: clock,
    goal: "within 20 live frames; then the same",
    isMet,
  };
}

/** Trackers whose clock is right, and that send late: what they send, and in which rhythm. */
const late: readonly (readonly [string, (track: readonly Moment[], random: Random) => Sent[]])[] = [
  ["always 40 s late", (track) => track.map((moment) => ({ moment, receivedAt: moment.at + 40_000 }))],
  ["stored on the way, then five a second", (track) => drained(track, () => 200)],
  [
    "stored on the way, then twice as fast as recorded",
    (track, random) => drained(track, (gap) => gap / random.between(1.6, 2.4)),
  ],
  [
    "stored on the way in tunnels of some minutes, then at once",
    (track) => {
      let until = 0;
      return track.map((moment, index) => {
        if (index % 40 === 0) until = (track[Math.min(track.length - 1, index + 20)] as Moment).at;
        return { moment, receivedAt: Math.max(moment.at + 2_000, until + index) };
      });
    },
  ],
];

function drained(track: readonly Moment[], pauseMs: (gapMs: number) => number): Sent[] {
  let receivedAt = (track.at(-1)?.at ?? begin) + 1_000;
  return track.map((moment, index) => {
    receivedAt += Math.round(pauseMs(moment.at - (track[index - 1]?.at ?? moment.at)));
    return { moment, receivedAt };
  });
}

function rightRow(bench: Bench, [what, send]: (typeof late)[number]): Row {
  const found = steps.map((stepS) => suspicionOf(bench, send(drive(bench, stepS), bench.random(502, stepS)), 0));
  const wrong = found.filter((one) => one !== null).length;
  return {
    what: `a right clock, its frames ${what}`,
    measured: bench.rules.offsets === null ? "nothing is found" : `suspected at ${wrong} of ${steps.length} steps`,
    truth: "right",
    goal: "not suspected",
    isMet: wrong === 0,
  };
}

export function trackerClockRows(bench: Bench): Row[] {
  return [...clocks.map((clock) => wrongRow(bench, clock)), ...late.map((kind) => rightRow(bench, kind))];
}
