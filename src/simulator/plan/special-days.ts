import { dayMs } from "../../domain/time/time.ts";
import type { Quirk, Vehicle } from "../fleet/roster.ts";
import { hourMs, minuteMs } from "./calendar.ts";

/** On weekdays of every other week, so that any two weeks contain all. The day of the fortnight; 4 is a Monday. */
const fortnight = 14;
const dayOfQuirk: Readonly<Partial<Record<Quirk, number>>> = {
  cached: 5,
  theft: 5,
  puncture: 5,
  towed: 5,
  buffers: 6,
  shipped: 6,
  sos: 6,
  door_open: 6,
};

/** On such days the vehicle has to be where its quirk happens: nobody is ill. */
export function isSpecialDay({ quirk }: Vehicle, day: number): boolean {
  return quirk !== null && dayOfQuirk[quirk] === day % fortnight;
}

/** The morning after a tow the car is at the pound, and is fetched. */
export function isFetchedFromPound({ quirk }: Vehicle, day: number): boolean {
  return quirk === "towed" && dayOfQuirk.towed === (day - 1) % fortnight;
}

/** From the start of the day. */
export const towedAtMs = 20.5 * hourMs;
export const theftAtMs = 40 * minuteMs;
export const theftLastsMs = 14 * minuteMs;
export const theftLitres = 110;

/** The tyre loses air from the morning of its day, and is mended after the next one. */
const punctureBeginMs = 7 * hourMs;
const kpaPerHour = 11;

/** The pressure that the punctured tyre has lost. */
export function lostPressureKpa({ quirk }: Vehicle, at: number): number {
  const phase = dayOfQuirk.puncture;
  if (quirk !== "puncture" || phase === undefined) return 0;
  const ms = (at - phase * dayMs) % (fortnight * dayMs);
  if (ms < punctureBeginMs || ms >= 2 * dayMs) return 0;
  return Math.min(420, ((ms - punctureBeginMs) / hourMs) * kpaPerHour);
}

/** When the tyre begins to lose air on its day, and how long it takes. */
export function punctureOf(day: number, lostKpa: number): { readonly at: number; readonly lowAt: number } {
  const at = day * dayMs + punctureBeginMs;
  return { at, lowAt: at + (lostKpa / kpaPerHour) * hourMs };
}

const leavesHomeAtMs = 6 * hourMs;
const flightMs = 3.5 * hourMs;
const daysAbroad = 5;

/** Where a container is: at home, in the air (without a network), or abroad. */
export function whereabouts({ quirk }: Vehicle, at: number): "home" | "away" | "abroad" {
  const phase = dayOfQuirk.shipped;
  if (quirk !== "shipped" || phase === undefined) return "home";
  const ms = (at - phase * dayMs - leavesHomeAtMs) % (fortnight * dayMs);
  if (ms < 0 || ms >= daysAbroad * dayMs + flightMs) return "home";
  return ms >= flightMs && ms < daysAbroad * dayMs ? "abroad" : "away";
}

/** The flight that begins on a day, there or back; null if none does. */
export function flightOn(vehicle: Vehicle, day: number): { readonly at: number; readonly until: number } | null {
  const at = day * dayMs + leavesHomeAtMs;
  if (whereabouts(vehicle, at) !== "away" || whereabouts(vehicle, at - 1) === "away") return null;
  return { at, until: at + flightMs };
}

/** The port of Valencia, some 1,790 km from Berlin. */
export const abroad = { latitude: 39.4425, longitude: -0.3165 } as const;

/** How long after the world's first midnight the one device falls silent for good: on its second evening. */
export const lastSignOfLifeMs = dayMs + 19 * hourMs;
