import { reportedFields } from "../../src/domain/reported.ts";
import { formatInstant } from "../../src/domain/time.ts";
import { type Verdict, verdictText } from "../../src/domain/verdict.ts";
import type { OldFrame } from "../../src/store/carry-over/old-frame-text.ts";

const dateLength = "YYYY-MM-DDT".length;

/** A frame as versions before 1.2 wrote it; `src/store/carry-over/old-frame-text.ts` says how. */
export function formatOldFrame(frame: OldFrame, verdict: Verdict): string {
  const [recorded, received] = [frame.recordedAt, frame.receivedAt].map((at) => formatInstant(at).slice(0, -1)) as [
    string,
    string,
  ];
  const isSameDate = received.slice(0, dateLength) === recorded.slice(0, dateLength);
  const values = reportedFields.slice(0, -1).map((name) => frame[name]);
  const parts = [
    isSameDate ? received.slice(dateLength) : received,
    ...values.map((value) => (value === null ? "" : String(value))),
    verdictText(verdict) ?? "",
  ];
  const lengths = parts.map((part) => String.fromCharCode("0".charCodeAt(0) + part.length)).join("");
  const digest = frame.digest.toString(36).padStart(11, "0");
  const event = frame.event === null ? "" : JSON.stringify(frame.event);
  return `${lengths}${digest}${recorded}${parts.join("")}${event}\n`;
}
