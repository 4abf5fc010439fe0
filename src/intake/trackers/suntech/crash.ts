import { bytesOf } from "../kit/bytes.ts";
import { utcTime } from "../kit/values.ts";
import type { SuntechText } from "./message.ts";
import type { SuntechReport } from "./report.ts";

/** `CRR;number;part;parts;length;data`: the first part begins with the moment of the crash. What was measured is not read. */
export function readCrash({ columns, data }: SuntechText): SuntechReport | null {
  if (data === null || columns[0] !== "1") return null;
  return {
    what: "crash, CRR",
    at: utcTime(bytesOf(data.slice(0, 6))),
    fields: {},
    events: ["crash"],
    unread: ["acceleration and places around the crash"],
  };
}
