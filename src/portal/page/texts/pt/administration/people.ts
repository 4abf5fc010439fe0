import type { AdministrationTexts } from "../../administration-texts.ts";

export const people: AdministrationTexts["people"] = {
  title: "Pessoas",
};
