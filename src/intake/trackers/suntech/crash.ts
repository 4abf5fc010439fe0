import { bytesOf } from "../kit/bytes.ts";
import { utcTime } from "../kit/values.ts";
import type { SuntechText } from "./message.ts";
import type { Report } from "./report.ts";

/** `CRR;number;part;parts;length;data`: the first part begins with the moment of the crash. What was measured is not read. */
export function readCrash({ columns, data }: SuntechText): Report | null {
  if (data === null) return null;
  const [part] = columns;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytesOf(data.slice(0, 6));
  const isFirst = part === "1";
  if (!isFirst) return null;
  return {
    what: "crash, CRR",
    at: utcTime(year, month, day, hour, minute, second),
    fields: {},
    events: ["crash"],
    unread: ["acceleration and places around the crash"],
  };
}
