import { bufferMetres } from "../../domain/crossings/buffer.ts";
import type { DeviceContext, FenceInForce } from "../../domain/device-context.ts";
import type { CrossingFact } from "../../domain/facts.ts";
import { signedDistanceMetres } from "../../domain/geometry/fence-area.ts";
import type { Fix } from "../../domain/sighting.ts";
import type { Retrace } from "./retrace.ts";
import { duration, type ExplainedSection, length, near, place, receiptTimes, writtenInstant } from "./words.ts";

/** Between which frames a fence was crossed, and what confirmed it. */
export function explainCrossing(
  traced: Retrace,
  crossing: CrossingFact,
  { fences }: DeviceContext,
): ExplainedSection[] {
  const { occurredAt, eventType, fenceId } = crossing;
  const shown = traced.frames.find(({ facts }) => facts.some((fact) => isSame(fact, crossing)));
  const fixes = [traced.base.previous, ...traced.frames.map(({ sighting }) => sighting.fix)].filter(
    (fix) => fix !== null,
  );
  const before = fixes.findLast(({ at }) => at < occurredAt);
  const after = fixes.find(({ at }) => at >= occurredAt);
  const around = traced.frames.filter(({ sighting: { fix } }) => fix !== null && (fix === before || fix === after));
  const fence = fences.find(fenceId, occurredAt);
  if (!shown || !before || !after || fence === null) return [];
  const seen = (fix: Fix) => `at ${near(fix.at, occurredAt)} it was ${side(fix, fence)}`;
  const verb = eventType === "enter" ? "entered" : "left";
  return [
    {
      title: "Crossing",
      lines: [
        `${writtenInstant(occurredAt)} at ${place(crossing)}: it ${verb} ${fence.name}.`,
        `Of the two frames around that, ${seen(before)}, and ${seen(after)}.`,
        ...moment(crossing, after),
      ],
    },
    { title: "Confirmed by", lines: confirmation(crossing, fence, after, shown.sighting.fix, fixes, seen) },
    ...(eventType === "exit" ? [{ title: "Stay", lines: [stay(crossing)] }] : []),
    ...receiptTimes(around, occurredAt),
  ];
}

function isSame(fact: { readonly kind: string }, { fenceId, eventType, occurredAt }: CrossingFact): boolean {
  const other = fact as CrossingFact;
  if (fact.kind !== "crossing" || other.fenceId !== fenceId) return false;
  return other.eventType === eventType && other.occurredAt === occurredAt;
}

function moment({ timeUncertaintyMs, interpolated }: CrossingFact, after: Fix): string[] {
  if (timeUncertaintyMs > 0) {
    return [
      `They are ${duration(timeUncertaintyMs)} apart. So the time is that of the second, and may be that much off.`,
    ];
  }
  const both = interpolated ? " Neither is inside: the way between them leads through the fence (interpolated)." : "";
  return [`The time is reckoned from where the straight way between them crosses the edge.${both}`].concat(
    after.accuracyM === null ? [] : `The second has an accuracy of ${length(after.accuracyM)}.`,
  );
}

/** `after` is the first frame on the new side, `last` the one that confirmed it. */
function confirmation(
  { eventType, interpolated }: CrossingFact,
  { area }: FenceInForce,
  after: Fix,
  last: Fix | null,
  fixes: readonly Fix[],
  seen: (fix: Fix) => string,
): string[] {
  if (interpolated) return ["The way through the fence is too long to be an error of the positions."];
  const lines: string[] = [];
  const isEnter = eventType === "enter";
  if (!isEnter) {
    const isOut = (fix: Fix) => signedDistanceMetres(area, fix) >= bufferMetres(area, fix.accuracyM);
    const out = fixes.find((fix) => fix.at >= after.at && isOut(fix));
    const buffer = length(bufferMetres(area, (out ?? after).accuracyM));
    lines.push(`It counts as outside only ${buffer} beyond the edge${out === undefined ? "" : `: ${seen(out)}`}.`);
  }
  if (last === null || last.at === after.at) return lines;
  const isInside = signedDistanceMetres(area, last) <= 0;
  if (isInside === isEnter) return [...lines, `A later frame agrees: ${seen(last)}.`];
  const why = isEnter
    ? "It came out elsewhere, or that late a frame does not contradict it."
    : "That is too late to contradict it.";
  return [...lines, `${duration(last.at - after.at)} later ${seen(last)}. ${why}`];
}

function stay({ dwellMs }: CrossingFact): string {
  return dwellMs === null ? "When it came in was not seen." : `It was inside for ${duration(dwellMs)}.`;
}

function side(fix: Fix, { area }: FenceInForce): string {
  const metres = signedDistanceMetres(area, fix);
  return metres <= 0 ? `${length(-metres)} inside` : `${length(metres)} outside`;
}
