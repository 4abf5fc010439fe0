import { useTexts } from "../../texts/use-texts.ts";
import type { Show } from "./show.ts";

export function useShow(): Show {
  return useTexts().show;
}
