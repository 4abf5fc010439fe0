import type { AdministrationTexts, Language, Texts } from "./texts.ts";

/** A browser loads one language, not all. */
export const loadTexts: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => import("./en/index.ts"),
  es: () => import("./es/index.ts"),
  pt: () => import("./pt/index.ts"),
  de: () => import("./de/index.ts"),
};

export const loadAdministrationTexts: Readonly<Record<Language, () => Promise<AdministrationTexts>>> = {
  en: () => import("./en/administration/index.ts"),
  es: () => import("./es/administration/index.ts"),
  pt: () => import("./pt/administration/index.ts"),
  de: () => import("./de/administration/index.ts"),
};
