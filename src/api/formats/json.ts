import { listEnd, listStart } from "../records/body.ts";
import { type OpenDocument, parsedRecords, separated } from "./format.ts";

export const openJson = separated({ start: listStart, textOf: (json) => json, end: listEnd });

/** One record a line, and nothing else: where the next page begins is in the header `Link`. */
export const openNdjson: OpenDocument = () => ({
  start: "",
  hasRecords: false,
  records: (json) =>
    parsedRecords(json)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(""),
  end: () => "",
});
