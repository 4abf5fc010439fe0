import type { AdministrationTexts } from "../../administration-texts.ts";

export const trackers: AdministrationTexts["trackers"] = {
  title: "Rastreadores",
};
