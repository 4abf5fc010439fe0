import type { Texts } from "../texts/texts.ts";

/** Why the map is empty, and what to do about it. */
export interface NothingShown {
  readonly title: string;
  readonly texts: readonly string[];
  /** What leads the owner on: to a first vehicle, or from there to its first report. */
  readonly next: "add" | "go on" | null;
}

/** A sub-account is told to ask the owner, who adds vehicles and sets up trackers. */
export function nothingShown(role: "owner" | "sub_account", hasVehicles: boolean, words: Texts["map"]): NothingShown {
  const isOwner = role === "owner";
  if (hasVehicles) {
    const texts = [words.firstPosition, isOwner ? words.seeSteps : words.expectSome];
    return { title: words.noPositions, texts, next: isOwner ? "go on" : null };
  }
  const texts = [isOwner ? words.addFirstWhat : words.askOwner];
  return { title: words.noVehicles, texts, next: isOwner ? "add" : null };
}
