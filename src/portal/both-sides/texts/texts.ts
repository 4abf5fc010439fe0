/** All texts of the portal in one language. English is the model: a text that another language lacks does not compile. */
export type Texts = typeof import("./en/index.ts");

/** The texts of the pages with which a fleet is run. Others never load them. */
export type AdministrationTexts = typeof import("./en/administration/index.ts");

/** Each in its own words. */
export const languages = { en: "English", es: "Español", pt: "Português", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

/** How dates and numbers of a language are written. */
export const locales: Readonly<Record<Language, string>> = { en: "en-GB", es: "es", pt: "pt-BR", de: "de" };

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}

/** The first that the browser prefers and the portal speaks; English if there is none. */
export function languageOf(preferred: readonly string[]): Language {
  return firstSpoken(preferred) ?? "en";
}

/** Null: the portal speaks none of them. */
export function firstSpoken(preferred: readonly string[]): Language | null {
  for (const tag of preferred) {
    const [language = ""] = tag.toLowerCase().split("-");
    if (isLanguage(language)) return language;
  }
  return null;
}
