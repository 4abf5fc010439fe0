import type { Vehicle } from "../fleet/roster.ts";
import { mixed, purposes } from "../random.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { dayTypeOf } from "./calendar.ts";
import { isFetchedFromPound, isSpecialDay } from "./special-days.ts";

/** Which days a vehicle works, and where it spends its nights: known for any day without looking at others. */
export class WorkingDays {
  readonly #seed: number;
  readonly #firstDay: number;
  readonly #pound: StopPlace;
  readonly #rests: readonly StopPlace[];

  constructor(seed: number, firstDay: number, { places }: Region) {
    this.#seed = seed;
    this.#firstDay = firstDay;
    this.#pound = places.find(({ kind }) => kind === "pound") as StopPlace;
    this.#rests = places.filter(({ kind }) => kind === "rest");
  }

  works(vehicle: Vehicle, day: number): boolean {
    if (day < this.#firstDay || vehicle.kindName === "container") return false;
    if (vehicle.quirk === "dies" && day > this.#firstDay + 1) return false;
    if (isSpecialDay(vehicle, day) || isFetchedFromPound(vehicle, day)) return true;
    const [weekday, saturday, sunday] = vehicle.kind.works;
    const probability = { weekday, saturday, sunday }[dayTypeOf(day)];
    return this.#chance(purposes.works, vehicle, day) < probability;
  }

  /** The node where the vehicle is when the day begins. */
  sleepsAt(vehicle: Vehicle, day: number): number {
    if (isFetchedFromPound(vehicle, day)) return this.#pound.node;
    const chance = this.#chance(purposes.sleeps, vehicle, day);
    const isAway = chance < vehicle.kind.staysAway && this.works(vehicle, day - 1) && this.works(vehicle, day);
    if (!isAway || isSpecialDay(vehicle, day)) return vehicle.bay;
    return this.#rests[Math.floor((chance / vehicle.kind.staysAway) * this.#rests.length)]?.node ?? vehicle.bay;
  }

  #chance(purpose: number, { index }: Vehicle, day: number): number {
    return mixed(this.#seed, purpose, index, day) / 4_294_967_296;
  }
}
