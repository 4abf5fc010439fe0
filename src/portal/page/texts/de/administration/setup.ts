import type { AdministrationTexts } from "../../administration-texts.ts";

export const setup: AdministrationTexts["setup"] = {
  title: "Einrichtung",
};
