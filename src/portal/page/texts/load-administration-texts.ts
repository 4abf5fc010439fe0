import type { AdministrationTexts } from "./administration-texts.ts";
import type { Language } from "./texts.ts";

type Loaded = Promise<{ readonly administration: AdministrationTexts }>;

const loaders: Readonly<Record<Language, () => Loaded>> = {
  en: () => import("./en/administration/index.ts"),
  es: () => import("./es/administration/index.ts"),
  pt: () => import("./pt/administration/index.ts"),
  de: () => import("./de/administration/index.ts"),
};

export function loadAdministrationTexts(language: Language): Promise<AdministrationTexts> {
  return loaders[language]().then(({ administration }) => administration);
}
