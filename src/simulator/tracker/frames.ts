import { formatInstant } from "../../domain/time/time.ts";
import type { CardCrew } from "../fleet/crews.ts";
import type { Vehicle } from "../fleet/roster.ts";
import type { CanonicalFrame } from "../messages.ts";
import { hourMs } from "../plan/calendar.ts";
import { abroad, isSpecialDay, whereabouts } from "../plan/special-days.ts";
import type { Random } from "../random.ts";
import { placeAside } from "../region/shape.ts";
import type { Disturbance } from "./faults.ts";
import type { DayOfTracker, Moment } from "./moments.ts";
import { createSensors } from "./sensors.ts";

const harshPerMovingFrame = 1 / 900;
const sosAfterMs = 9.5 * hourMs;
/** The second shift begins at the first stop after this. */
const handoverAfterMs = 10.5 * hourMs;

/** Makes frames of what a tracker sees over a day. */
export class FrameMaker {
  readonly #vehicle: Vehicle;
  readonly #imei: string;
  readonly #random: Random;
  readonly #reception: Reception;
  readonly #sensors: ReturnType<typeof createSensors>;
  readonly #odometerKm: number;
  #sosAt: number;
  readonly #crew: CardCrew | null;
  /** At the next stop from here on, the second driver takes over. */
  readonly #handoverFrom: number;
  #isHandedOver = false;
  /** The last place that was found: what is shown in a tunnel. */
  #latitude = 0;
  #longitude = 0;
  #headingDeg = 0;
  #engineRanAt: number;
  event: string | undefined;

  constructor(today: DayOfTracker, random: Random) {
    const { vehicle, imei, metresDriven, timeline, crew } = today;
    const { day, beginsAt } = timeline;
    this.#vehicle = vehicle;
    this.#imei = imei;
    this.#random = random;
    this.#reception = new Reception(random);
    this.#sensors = createSensors(today, random);
    this.#odometerKm = vehicle.odometerBaseKm + (metresDriven / 1000) * vehicle.odometerFactor;
    const isSos = vehicle.quirk === "sos" && isSpecialDay(vehicle, day);
    this.#sosAt = isSos ? beginsAt + sosAfterMs : Number.POSITIVE_INFINITY;
    this.#engineRanAt = beginsAt - 6 * hourMs;
    this.#crew = crew;
    this.#handoverFrom = beginsAt + handoverAfterMs;
  }

  frame(moment: Moment, disturbance: Disturbance | null, arrivesAt: number): CanonicalFrame {
    const reception = this.#reception;
    reception.next();
    const vehicle = this.#vehicle;
    const { at, isDriving, speedKmh, ignition } = moment;
    const hasFix = disturbance?.kind !== "tunnel";
    if (hasFix) this.#find(moment, disturbance);
    if (isDriving) this.#headingDeg = moment.headingDeg;
    if (ignition) this.#engineRanAt = at;
    this.event = hasFix ? this.#nextEvent(moment) : undefined;
    const isContainer = vehicle.kindName === "container";
    return {
      imei: this.#imei,
      recorded_at: formatInstant(at),
      received_at: formatInstant(arrivesAt),
      latitude: Math.round(this.#latitude * 1e6) / 1e6,
      longitude: Math.round(this.#longitude * 1e6) / 1e6,
      fix: hasFix ? undefined : false,
      altitude_m: hasFix ? this.#altitude() : undefined,
      speed_kmh: hasFix && !isContainer ? this.#speed(speedKmh) : undefined,
      heading_deg: hasFix && !isContainer ? this.#heading() : undefined,
      accuracy_m: hasFix && vehicle.index % 3 !== 0 ? reception.accuracyM : undefined,
      satellites: satellitesOf(disturbance, reception.satellites),
      hdop: hasFix ? (disturbance?.kind === "cold_start" ? 4.5 : reception.hdop) : undefined,
      ignition: vehicle.knowsIgnition ? ignition : undefined,
      odometer_km: this.#odometer(moment.metres),
      battery_percent: isContainer ? 40 + Math.round(58 * (1 - ((at / hourMs) % 720) / 720)) : undefined,
      external_voltage_v: isContainer ? undefined : this.#voltage(at, ignition),
      event: this.event,
      sensors: this.#sensors(moment),
      driver_id: this.#driver(moment),
    };
  }

  /** The card is in the reader while the engine runs. */
  #driver({ at, ignition, isDriving }: Moment): string | undefined {
    const crew = this.#crew;
    if (crew === null || !(ignition || isDriving)) return undefined;
    if (!isDriving && at >= this.#handoverFrom) this.#isHandedOver = true;
    return this.#isHandedOver ? (crew.second ?? crew.first) : crew.first;
  }

  #find(moment: Moment, disturbance: Disturbance | null): void {
    const reception = this.#reception;
    let { latitude, longitude } = moment;
    if (this.#vehicle.quirk === "shipped" && whereabouts(this.#vehicle, moment.at) === "abroad") {
      ({ latitude, longitude } = abroad);
    }
    switch (disturbance?.kind) {
      case "cached_position": {
        // The same to the last digit, as with a cached place.
        const { latitude, longitude } = this.#vehicle.customers.at(-1) ?? moment;
        [this.#latitude, this.#longitude] = [latitude, longitude];
        return;
      }
      case "cold_start":
      case "spike": {
        const aside = placeAside({ latitude, longitude }, disturbance.metres, disturbance.headingDeg);
        [latitude, longitude] = [aside.latitude, aside.longitude];
        break;
      }
      case "tunnel":
      case undefined:
    }
    this.#latitude = reception.latitude(latitude);
    this.#longitude = reception.longitude(longitude);
  }

  #nextEvent({ at, isDriving, speedKmh }: Moment): string | undefined {
    if (at >= this.#sosAt) {
      this.#sosAt = Number.POSITIVE_INFINITY;
      return "sos";
    }
    if (!isDriving || speedKmh < 20 || !this.#random.chance(harshPerMovingFrame)) return undefined;
    return this.#random.pick(["harsh_braking", "harsh_braking", "harsh_acceleration", "harsh_cornering"]);
  }

  /** The region is flat: some 30 to 90 m above the sea. */
  #altitude(): number {
    const swell = Math.sin(this.#latitude * 40) + Math.sin(this.#longitude * 31);
    return Math.round(55 + swell * 14 + this.#random.wobble() * 3);
  }

  #speed(speedKmh: number): number {
    if (speedKmh < 1) return 0;
    return Math.max(0, Math.round((speedKmh + this.#random.wobble() * 0.7) * 10) / 10);
  }

  #heading(): number {
    return Math.round(this.#headingDeg + 360) % 360;
  }

  #odometer(metres: number): number | undefined {
    const { odometerStep, odometerFactor } = this.#vehicle;
    if (odometerStep === null) return undefined;
    const steps = Math.floor((this.#odometerKm + (metres / 1000) * odometerFactor) / odometerStep + 1e-6);
    return Math.round(steps * odometerStep * 1000) / 1000;
  }

  #voltage(at: number, isRunning: boolean): number {
    const { kind, quirk } = this.#vehicle;
    const parkedHours = Math.min(72, (at - this.#engineRanAt) / hourMs);
    const loss = quirk === "weak_battery" ? 0.11 : 0.004;
    const volts = isRunning ? 14.1 : Math.max(10.9, 12.65 - parkedHours * loss);
    return Math.round((volts + this.#random.wobble() * 0.04) * (kind.systemVoltage / 12) * 100) / 100;
  }
}

function satellitesOf(disturbance: Disturbance | null, usual: number): number {
  if (disturbance?.kind === "tunnel") return usual % 3;
  return disturbance?.kind === "cold_start" ? disturbance.satellites : usual;
}

const degreesPerMetre = 1 / 111_195;
const degreesPerMetreEast = degreesPerMetre / Math.cos((52.5 * Math.PI) / 180);

/** The share of an error that remains at the next fix. */
const lasting = 0.75;
const fresh = Math.sqrt(1 - lasting * lasting);

/** A receiver on the roof of a vehicle: some metres off, and slowly drifting, as real ones are. */
class Reception {
  readonly #random: Random;
  /** Of the error in one direction. */
  readonly #spreadMetres: number;
  #north = 0;
  #east = 0;
  satellites = 10;
  hdop = 0.9;

  constructor(random: Random) {
    this.#random = random;
    this.#spreadMetres = random.between(2, 4.2);
  }

  /** The next fix: moves the error on. */
  next(): void {
    const spread = fresh * this.#spreadMetres;
    this.#north = lasting * this.#north + spread * this.#random.wobble();
    this.#east = lasting * this.#east + spread * this.#random.wobble();
    const luck = this.#random.next();
    this.satellites = 7 + Math.floor(luck * 8);
    this.hdop = Math.round(14 - luck * 8) / 10;
  }

  latitude(latitude: number): number {
    return latitude + this.#north * degreesPerMetre;
  }

  longitude(longitude: number): number {
    return longitude + this.#east * degreesPerMetreEast;
  }

  /** As the receiver estimates it. */
  get accuracyM(): number {
    return Math.round((this.#spreadMetres + this.hdop * 2) * 10) / 10;
  }
}
