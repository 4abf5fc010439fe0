import { createContext, useContext } from "react";
import type { Show } from "../../both-sides/reading/show.ts";
import type { Texts } from "../../both-sides/texts/texts.ts";

/** How the present person reads the portal: the texts of their language, and `show`, which writes figures and times. */
export type ReaderTexts = Texts & { readonly show: Show };

export const ReadingContext = createContext<ReaderTexts | null>(null);

export function useTexts(): ReaderTexts {
  const reading = useContext(ReadingContext);
  if (reading === null) throw new Error("no language is loaded");
  return reading;
}
