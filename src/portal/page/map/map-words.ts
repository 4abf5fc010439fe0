import type { Show } from "../../both-sides/reading/show.ts";
import type { Texts } from "../../both-sides/texts/texts.ts";
import type { MapVehicle } from "./layers/vehicle.ts";

/** When the trip under way began, by its id; or the stand, by its vehicle. */
export type Starts = ReadonlyMap<string, string>;

/** After two days nobody counts hours. */
const daysFromSeconds = 48 * 3600;

/**
 * How long a vehicle has been driving, has stood or has been silent; null where nobody knows. Of one that idles only the
 * time with the engine on is known, which may hold a drive. Pure.
 */
export function lasting(
  { id, position, motion }: MapVehicle,
  starts: Starts,
  now: number,
  show: Pick<Show, "duration" | "number">,
  words: Texts["map"],
): string | null {
  const say = (since: string | null | undefined, sentence: (duration: string) => string) => {
    if (since === null || since === undefined) return null;
    const seconds = Math.max(0, (now - Date.parse(since)) / 1000);
    const days = () => words.days(show.number(Math.floor(seconds / 86_400)));
    return sentence(seconds >= daysFromSeconds ? days() : show.duration(seconds));
  };
  switch (motion) {
    case "moving":
      return say(position.trip_id === null ? null : starts.get(position.trip_id), words.movingFor);
    case "idling":
      return say(position.ignition_since, words.engineOnFor);
    case "stopped":
      return say(position.ignition_since ?? starts.get(id), words.stoppedFor);
    case "offline":
      return say(position.recorded_at, words.silentFor);
  }
}

/**
 * Why the map is empty, and what to do about it. `next` leads the owner on: to a first vehicle, or from there to its first
 * report. A sub-account must ask the owner.
 */
export function nothingShown(role: "owner" | "sub_account", hasVehicles: boolean, words: Texts["map"]) {
  const isOwner = role === "owner";
  if (hasVehicles) {
    const texts = [words.firstPosition, isOwner ? words.seeSteps : words.expectSome];
    return { title: words.noPositions, texts, next: isOwner ? "go on" : null };
  }
  const texts = [isOwner ? words.addFirstWhat : words.askOwner];
  return { title: words.noVehicles, texts, next: isOwner ? "add" : null };
}
