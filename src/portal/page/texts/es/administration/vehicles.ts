import type { AdministrationTexts } from "../../administration-texts.ts";

export const vehicles: AdministrationTexts["vehicles"] = {
  title: "Vehículos",
};
