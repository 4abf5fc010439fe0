import { nothingReported } from "../../src/domain/frame.ts";
import { reportedFields } from "../../src/domain/reported.ts";
import { formatInstant } from "../../src/domain/time/time.ts";
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

/** Programs before 1.2 knew no fix, source and sensors. */
const { fix: _, source: __, sensors: ___, ...nothing } = nothingReported;

/** A frame, and what programs before 1.2 wrote of it. */
export const writtenFrame: OldFrame = {
  ...nothing,
  latitude: 52.5000821,
  longitude: 13.4000937,
  speed_kmh: 0,
  heading_deg: 128.8,
  accuracy_m: 2,
  ignition: false,
  battery_percent: 7,
  event: "sos",
  recordedAt: Date.UTC(2026, 0, 1, 9, 0, 4, 506),
  receivedAt: Date.UTC(2026, 0, 1, 9, 0, 6, 30),
  digest: 1_450_126_813_434_106,
};
export const writtenText =
  '<::015100501000ea0z27jxtm2026-01-01T09:00:04.50609:00:06.03052.500082113.40009370128.82false7"sos"\n';
