import { createContext, useContext } from "react";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { type ReaderTexts, useTexts } from "./use-texts.ts";

export const AdministrationTextsContext = createContext<AdministrationTexts | null>(null);

/** All texts, inside of `<WithAdministrationTexts>`. */
export function useAdministrationTexts(): ReaderTexts & AdministrationTexts {
  const reading = useTexts();
  const texts = useContext(AdministrationTextsContext);
  if (texts === null) throw new Error("the texts of administration are not loaded");
  return { ...reading, ...texts };
}
