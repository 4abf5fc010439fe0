import type { Texts } from "../texts/texts.ts";

/** Why a frame was rejected, in words for people who did not build the filter. Pure. */
export function rejectWords(reason: string | null, words: Texts["playback"]): string {
  const known: Readonly<Record<string, string>> = words.rejectReasons;
  return known[reason ?? ""] ?? words.notBelieved;
}
