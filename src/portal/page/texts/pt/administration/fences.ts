import type { AdministrationTexts } from "../../administration-texts.ts";

export const fences: AdministrationTexts["fences"] = {
  title: "Cercas",
};
