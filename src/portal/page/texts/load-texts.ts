import type { AdministrationTexts, Language, Texts } from "../../both-sides/texts/texts.ts";

/** A browser loads one language, not all. */
export const loadTexts: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => import("../../both-sides/texts/en/index.ts"),
  es: () => import("../../both-sides/texts/es/index.ts"),
  pt: () => import("../../both-sides/texts/pt/index.ts"),
  de: () => import("../../both-sides/texts/de/index.ts"),
};

export const loadAdministrationTexts: Readonly<Record<Language, () => Promise<AdministrationTexts>>> = {
  en: () => import("../../both-sides/texts/en/administration/index.ts"),
  es: () => import("../../both-sides/texts/es/administration/index.ts"),
  pt: () => import("../../both-sides/texts/pt/administration/index.ts"),
  de: () => import("../../both-sides/texts/de/administration/index.ts"),
};
