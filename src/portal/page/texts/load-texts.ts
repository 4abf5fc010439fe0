import type { Language, Texts } from "./texts.ts";

/** A browser loads one language, not all. */
const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: () => import("./en/index.ts").then(({ en }) => en),
  es: () => import("./es/index.ts").then(({ es }) => es),
  pt: () => import("./pt/index.ts").then(({ pt }) => pt),
  de: () => import("./de/index.ts").then(({ de }) => de),
};

export function loadTexts(language: Language): Promise<Texts> {
  return loaders[language]();
}
