import { createContext, useContext } from "react";
import type { AdministrationTexts } from "./texts.ts";

export const AdministrationTextsContext = createContext<AdministrationTexts | null>(null);

/** Inside of `<WithAdministrationTexts>`. */
export function useAdministrationTexts(): AdministrationTexts {
  const texts = useContext(AdministrationTextsContext);
  if (texts === null) throw new Error("the texts of administration are not loaded");
  return texts;
}
