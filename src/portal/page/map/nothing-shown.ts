import type { Texts } from "../texts/texts.ts";

/** Why the map is empty, and what to do about it. */
export interface NothingShown {
  readonly title: string;
  readonly texts: readonly string[];
}

/** Each is told whom to ask: a sub-account the owner, the owner the people who run the service. */
export function nothingShown(role: "owner" | "sub_account", hasVehicles: boolean, words: Texts["map"]): NothingShown {
  const isOwner = role === "owner";
  if (hasVehicles) {
    const check = isOwner ? words.checkTrackers : words.checkTrackersOrAsk;
    return { title: words.noPositions, texts: [words.firstPosition, check] };
  }
  return { title: words.noVehicles, texts: [isOwner ? words.askOperator : words.askOwner] };
}
