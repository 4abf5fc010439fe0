import type { AdministrationTexts } from "../../administration-texts.ts";

export const links: AdministrationTexts["links"] = {
  title: "Seu link",
};
