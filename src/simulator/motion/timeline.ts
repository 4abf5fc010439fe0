import type { Vehicle } from "../fleet/roster.ts";
import { dayMs, hourMs, minuteMs } from "../plan/calendar.ts";
import { dayBeginsAt, type Visit } from "../plan/itinerary.ts";
import { type PlannedDay, stolenLitres } from "../plan/ledger.ts";
import { isSpecialDay, theftAtMs, theftLastsMs, towedAtMs } from "../plan/special-days.ts";
import { purposes, Random } from "../random.ts";
import type { Road } from "../region/network.ts";
import type { Region, StopPlace } from "../region/places.ts";
import { driveRoute } from "./drive-route.ts";
import type { Motion } from "./motion.ts";

/** A vehicle on its way between two stops. */
export interface Drive {
  readonly kind: "drive";
  readonly startsAt: number;
  readonly endsAt: number;
  readonly route: readonly Road[];
  readonly motion: Motion;
  readonly isTowed: boolean;
  /** Driven since the day began, when it starts. */
  readonly metresBefore: number;
  readonly fuelL: number;
}

/** A vehicle at a stop. The engine is off from `offAt` until `onAt`; if it runs all the time, both are at the end. */
export interface Stay {
  readonly kind: "stay";
  readonly node: number;
  readonly from: number;
  readonly until: number;
  readonly offAt: number;
  readonly onAt: number;
  readonly metresBefore: number;
  /** When it begins. */
  readonly fuelL: number;
  /** Litres that come in or go out between two moments; the engine's own use is not in it. */
  readonly fuelChange: { readonly litres: number; readonly from: number; readonly until: number } | null;
  readonly idleLitresPerMs: number;
}

/** A vehicle's day: stays and drives by turns, without a gap, from its beginning to its end. */
export interface Timeline {
  readonly day: number;
  readonly beginsAt: number;
  readonly endsAt: number;
  readonly activities: readonly (Stay | Drive)[];
  readonly litresPerMetre: number;
}

/** A driver rests for 45 minutes before 4.5 hours at the wheel are over. */
const longestAtWheelMs = 4.5 * hourMs;
const breakMs = 45 * minuteMs;

export function createTimeline(seed: number, vehicle: Vehicle, planned: PlannedDay, region: Region): Timeline {
  const beginsAt = dayBeginsAt(vehicle, planned.day);
  const builder = new TimelineBuilder(seed, vehicle, planned, region, beginsAt);
  if (planned.itinerary !== null) builder.driveTour(planned.itinerary);
  return builder.finish();
}

class TimelineBuilder {
  readonly #activities: (Stay | Drive)[] = [];
  readonly #seed: number;
  readonly #vehicle: Vehicle;
  readonly #planned: PlannedDay;
  readonly #region: Region;
  readonly #beginsAt: number;
  readonly #random: Random;
  #at: number;
  #node: number;
  #metres = 0;
  #fuelL: number;
  #atWheelMs = 0;
  #isDay = false;

  constructor(seed: number, vehicle: Vehicle, planned: PlannedDay, region: Region, beginsAt: number) {
    this.#seed = seed;
    this.#vehicle = vehicle;
    this.#planned = planned;
    this.#region = region;
    this.#beginsAt = beginsAt;
    this.#random = new Random(seed, purposes.drive, vehicle.index, planned.day);
    this.#at = beginsAt;
    this.#node = planned.standsAt;
    this.#fuelL = planned.state.fuelL;
  }

  driveTour({ leavesAt, visits, to }: NonNullable<PlannedDay["itinerary"]>): void {
    this.#parkUntil(leavesAt);
    for (const visit of visits) {
      this.#driveTo(visit.node);
      this.#visit(visit);
    }
    this.#driveTo(to);
  }

  finish(): Timeline {
    const { day, litresPerMetre } = this.#planned;
    const endsAt = this.#beginsAt + dayMs;
    if (this.#vehicle.quirk === "towed" && isSpecialDay(this.#vehicle, day)) this.#tow();
    if (this.#at >= endsAt) throw new Error(`vehicle ${this.#vehicle.index} is still driving when day ${day} is over`);
    this.#parkUntil(endsAt);
    return { day, beginsAt: this.#beginsAt, endsAt, activities: this.#activities, litresPerMetre };
  }

  #tow(): void {
    this.#parkUntil(this.#beginsAt + towedAtMs);
    const pound = this.#region.places.find(({ kind }) => kind === "pound") as StopPlace;
    const route = this.#region.routes.between(this.#node, pound.node);
    this.#add(route, this.#motion(route, this.#at), true);
    this.#node = pound.node;
  }

  #motion(route: readonly Road[], startsAt: number): Motion {
    const random = new Random(this.#seed, purposes.drive, this.#vehicle.index, Math.floor(startsAt / 1000));
    return driveRoute(route, this.#vehicle, startsAt, this.#region.network, random);
  }

  #driveTo(node: number): void {
    const route = this.#region.routes.between(this.#node, node);
    if (route.length === 0) return;
    let motion = this.#motion(route, this.#at);
    if (this.#atWheelMs + motion.seconds * 1000 > longestAtWheelMs && this.#atWheelMs > 0) {
      this.#rest();
      motion = this.#motion(route, this.#at);
    }
    this.#atWheelMs += motion.seconds * 1000;
    this.#add(route, motion, false);
    this.#node = node;
  }

  #add(route: readonly Road[], motion: Motion, isTowed: boolean): void {
    const startsAt = this.#at;
    const endsAt = startsAt + motion.seconds * 1000;
    const [metresBefore, fuelL] = [this.#metres, this.#fuelL];
    this.#activities.push({ kind: "drive", startsAt, endsAt, route, motion, isTowed, metresBefore, fuelL });
    this.#at = endsAt;
    if (isTowed) return;
    this.#metres += motion.metres;
    this.#fuelL -= motion.metres * this.#planned.litresPerMetre;
  }

  /** The break is taken where the vehicle stands: its stay is longer by it, and the engine is off. */
  #rest(): void {
    this.#atWheelMs = 0;
    const until = this.#at + breakMs + this.#random.between(0, 8) * minuteMs;
    const last = this.#activities.at(-1);
    if (last?.kind !== "stay") return;
    this.#activities[this.#activities.length - 1] = { ...last, until, onAt: Math.round(until - this.#startMs()) };
    this.#at = until;
  }

  #visit({ stayMs, keepsRunning, refuelL }: Visit): void {
    const until = this.#at + stayMs;
    const filling = { litres: refuelL, from: this.#at + minuteMs, until: until - 2 * minuteMs };
    this.#stay(until, keepsRunning, refuelL > 0 ? filling : null);
  }

  #parkUntil(until: number): void {
    const thief = { from: this.#beginsAt + theftAtMs, until: this.#beginsAt + theftAtMs + theftLastsMs };
    const litres = this.#isDay ? 0 : -stolenLitres(this.#planned, this.#vehicle);
    this.#stay(until, false, litres < 0 ? { litres, ...thief } : null);
  }

  #stay(until: number, keepsRunning: boolean, fuelChange: Stay["fuelChange"]): void {
    const from = this.#at;
    const isFirst = !this.#isDay;
    this.#isDay = true;
    const isLast = until === this.#beginsAt + dayMs;
    const before = this.#activities.at(-1);
    const wasTowed = before?.kind === "drive" && before.isTowed;
    const offAt = keepsRunning ? until : isFirst || wasTowed ? from : from + this.#random.between(4, 35) * 1000;
    const staysOff = isLast || this.#willBeTowed(until);
    const onAt = keepsRunning || staysOff ? until : until - this.#startMs();
    const idleLitresPerMs = keepsRunning ? this.#vehicle.kind.idleLitresPerHour / hourMs : 0;
    const [node, metresBefore, fuelL] = [this.#node, this.#metres, this.#fuelL];
    const times = { from, until, offAt: Math.round(offAt), onAt: Math.round(Math.max(onAt, offAt)) };
    this.#activities.push({ kind: "stay", node, ...times, metresBefore, fuelL, fuelChange, idleLitresPerMs });
    this.#fuelL += (fuelChange?.litres ?? 0) - idleLitresPerMs * (until - from);
    this.#at = until;
  }

  #willBeTowed(until: number): boolean {
    const { quirk } = this.#vehicle;
    return quirk === "towed" && isSpecialDay(this.#vehicle, this.#planned.day) && until === this.#beginsAt + towedAtMs;
  }

  /** From starting the engine to driving off. */
  #startMs(): number {
    return this.#random.between(8, 45) * 1000;
  }
}
