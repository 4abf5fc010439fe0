import { matchesNoText } from "../../domain/text/search-text.ts";
import { type Parameter, readShortText, shortText } from "./parameter.ts";

/** No tag is so called. */
const nobody = "";

export const drivenBy: Parameter<string> = {
  ...shortText,
  name: "driver_id",
  isInCursorIfGiven: true,
  description:
    "Only what was driven with this driver's tag or card: its id, as in frames and in `driver_ids` of `/drivers`. An unknown one " +
    "gives an empty page.",
  example: "0000001A2B3C4D5E",
  read: (text) => {
    const id = readShortText(text);
    return id !== undefined && matchesNoText(id) ? nobody : id;
  },
};
