import type { AdministrationTexts } from "../../administration-texts.ts";

export const audit: AdministrationTexts["audit"] = {
  title: "Registro",
};
