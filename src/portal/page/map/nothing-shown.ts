import type { Texts } from "../texts/texts.ts";

/** Why the map is empty, and what to do about it. */
export interface NothingShown {
  readonly title: string;
  readonly texts: readonly string[];
  /** Whether the person can add a vehicle. */
  readonly canAdd: boolean;
}

/** A sub-account is told to ask the owner, who adds vehicles. */
export function nothingShown(role: "owner" | "sub_account", hasVehicles: boolean, words: Texts["map"]): NothingShown {
  const isOwner = role === "owner";
  if (hasVehicles) {
    const check = isOwner ? words.checkTrackers : words.checkTrackersOrAsk;
    return { title: words.noPositions, texts: [words.firstPosition, check], canAdd: false };
  }
  return { title: words.noVehicles, texts: [isOwner ? words.addFirstWhat : words.askOwner], canAdd: isOwner };
}
