import type { AdministrationTexts } from "../../administration-texts.ts";

export const rules: AdministrationTexts["rules"] = {
  title: "Regras de alerta",
};
