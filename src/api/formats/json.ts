import { listEnd, listStart } from "../records/body.ts";
import { type OpenDocument, parsedRecords } from "./format.ts";

/** The envelope of every list. */
export const openJson: OpenDocument = (hasRecords) => {
  let isFirst = !hasRecords;
  return {
    start: listStart,
    get hasRecords() {
      return !isFirst;
    },
    records(json) {
      if (json === "") return "";
      const text = isFirst ? json : `,${json}`;
      isFirst = false;
      return text;
    },
    end: listEnd,
  };
};

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
