import { quantity } from "../../domain/text.ts";
import type { RejectReason } from "../../domain/verdict.ts";
import type { TracedFrame } from "./retrace.ts";
import { near } from "./words.ts";

/** Those of a time that is not believed have no place in the order: they never come here. */
const reasons: Readonly<Partial<Record<RejectReason, string>>> = {
  no_fix: "no position",
  out_of_range: "coordinates that do not exist",
  zero_coordinates: "the coordinates 0, 0",
  approximate: "located by radio cells or Wi-Fi only",
  low_satellites: "too few satellites",
  low_precision: "too imprecise",
  implausible_jump: "farther away than a vehicle drives in the time",
  spike: "far from the frames before and after it, which are close together",
};

const maxTimes = 3;

/** Which of these frames were not believed and why, and whose speed was not. */
export function notBelieved(frames: readonly TracedFrame[], other: number): string[] {
  const rejected = Map.groupBy(frames, ({ sighting }) => sighting.verdict.rejectReason);
  const lines: string[] = [];
  for (const [reason, those] of rejected) {
    if (reason !== null) lines.push(`${counted(those, other)} not believed: ${reasons[reason] ?? ""} (${reason}).`);
  }
  const speeds = frames.filter(
    ({ sighting: { frame, verdict }, speedKmh }) => verdict.valid && frame.speed_kmh !== null && speedKmh === null,
  );
  if (speeds.length > 0) lines.push(`${counted(speeds, other)} with a speed that was not believed; the position was.`);
  return lines;
}

function counted(frames: readonly TracedFrame[], other: number): string {
  const times = frames.slice(0, maxTimes).map(({ sighting }) => near(sighting.frame.recordedAt, other));
  const more = frames.length > maxTimes ? ", …" : "";
  return `${quantity(frames.length, "frame")} (${times.join(", ")}${more})`;
}
