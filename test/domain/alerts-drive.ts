import { type AlertState, initialAlerts, openAlerts, stepAlerts } from "../../src/domain/alerts/alerts.ts";
import { rulesInForce } from "../../src/domain/alerts/rules-in-force.ts";
import type { DeviceContext, FenceInForce } from "../../src/domain/device-context.ts";
import type { AlertFact, CrossingFact, TripFact } from "../../src/domain/facts.ts";
import type { AlertRule } from "../../src/domain/fleet.ts";
import type { Frame, SensorReport } from "../../src/domain/frame.ts";
import { noTrail, type Trail } from "../../src/domain/motion.ts";
import { type Fix, nextTrail, sight } from "../../src/domain/sighting.ts";
import { utc } from "../../src/domain/time/time-zone.ts";
import type { Relocation } from "../../src/domain/trips/relocation.ts";
import { accepted, acceptedDiscontinuity, type Verdict } from "../../src/domain/verdict.ts";
import { frameWith } from "./support/quality-frames.ts";

/** When everything here begins: 2026-06-15T12:00:00Z. */
export const noon = Date.UTC(2026, 5, 15, 12);

/** A frame and what the rules before the alerts made of it, in brief. Times are seconds after noon. */
export interface Moment {
  readonly at: number;
  readonly speed?: number | null;
  readonly ignition?: boolean | null;
  /** Metres north of the start. */
  readonly north?: number;
  readonly valid?: boolean;
  readonly elsewhere?: boolean;
  readonly event?: string | null;
  readonly accuracy?: number | null;
  readonly satellites?: number | null;
  readonly battery?: number | null;
  readonly volts?: number | null;
  readonly sensors?: readonly SensorReport[];
  /** When the trip under way began, in seconds after noon. */
  readonly trip?: number | null;
  readonly towed?: boolean;
  /** Seen away from where it stood since this second, by one frame, by more, or standing there by now. */
  readonly away?: readonly [since: number, shown: "once" | "again" | "there"];
  /** The usual seconds between two frames while it is driven. */
  readonly usual?: number;
  /** Whether the trip is known as one; it is, unless the moment says otherwise. */
  readonly known?: boolean;
  readonly inside?: readonly string[];
  readonly endedTrips?: readonly TripFact[];
  readonly crossings?: readonly CrossingFact[];
}

export interface Settings {
  /** By the second after noon from which they hold. */
  readonly rules?: readonly (readonly [from: number, rules: readonly AlertRule[]])[];
  readonly capacityL?: number | null;
}

/** All that an alert needs of a fence is its name. */
const fences: DeviceContext["fences"] = {
  near: () => [],
  find: (id) => (id === "lost" ? null : ({ id, name: `the ${id}` } as FenceInForce)),
  unchangedSince: Number.NEGATIVE_INFINITY,
};

function contextOf({ rules = [], capacityL = null }: Settings): DeviceContext {
  const alertRules = rules.map(([from, content]) => ({ validFrom: noon + from * 1000, content }));
  return { fuelTankCapacityL: capacityL, zone: utc, alertRules, fences };
}

export function rule(alertType: AlertRule["alertType"], change: Partial<AlertRule> = {}): AlertRule {
  return { alertType, enabled: true, severity: null, parameters: {}, geofenceIds: [], ...change };
}

/** The device's alerts, frame by frame. */
export class Drive {
  state: AlertState = initialAlerts;
  previous: Fix | null = null;
  trail: Trail = noTrail;
  readonly final: AlertFact[] = [];
  readonly #context: DeviceContext;

  constructor(settings: Settings = {}) {
    this.#context = contextOf(settings);
  }

  step(moment: Moment): void {
    const { trip = null, towed: isTowed = false, known = true, inside = [], endedTrips = [], crossings = [] } = moment;
    const speedKmh = moment.speed ?? null;
    const sighting = sight({ frame: frameOf(moment), verdict: verdictOf(moment), speedKmh }, this.previous, this.trail);
    this.trail = nextTrail(this.trail, sighting);
    const startedAt = trip === null ? null : noon + trip * 1000;
    const input = {
      sighting,
      context: this.#context,
      trip: startedAt === null ? null : { startedAt, isTowed },
      rest:
        trip === null && moment.away?.[1] !== "once"
          ? { pace: moment.usual === undefined ? [] : [moment.usual] }
          : null,
      relocation: relocationOf(moment),
      tripStartedAt: known ? startedAt : null,
      tripFoundAt: known ? startedAt : null,
      movedUntil: startedAt === null ? null : sighting.frame.recordedAt,
      endedTrips,
      crossings,
      rules: rulesInForce(this.#context, sighting.frame.recordedAt, inside),
      inside,
      completed: [],
    };
    const { state, facts } = stepAlerts(this.state, input);
    this.state = state;
    this.previous = sighting.fix ?? this.previous;
    this.final.push(...facts);
  }

  get open(): readonly AlertFact[] {
    return openAlerts(this.state, utc, null);
  }
}

export function drive(moments: readonly Moment[], settings: Settings = {}): Drive {
  const driven = new Drive(settings);
  for (const moment of moments) driven.step(moment);
  return driven;
}

/** All alerts, each as type, begin and end in seconds after noon (null: lasting), severity and value. */
export function alertsIn({ final, open }: Drive): unknown[][] {
  return [...final, ...open].map(({ alertType, occurredAt, endedAt, severity, value }) => [
    alertType,
    (occurredAt - noon) / 1000,
    endedAt === null ? null : (endedAt - noon) / 1000,
    severity,
    value,
  ]);
}

/** Moments written as `second:value`; `null` is no value. */
export function inSeries(series: string, of: (value: number | null, at: number) => Partial<Moment>): Moment[] {
  return series.split(" ").map((text) => {
    const [at, value] = text.split(":").map((part) => (part === "null" ? null : Number(part)));
    return { at: at ?? 0, ...of(value ?? null, at ?? 0) };
  });
}

/** All alerts as `begin to end, severity, value`. */
export function inWords(driven: Drive): string {
  return alertsIn(driven)
    .map(([, since, until, severity, value]) => `${since} to ${until ?? "now"}, ${severity}, ${value}`)
    .join("; ");
}

function relocationOf({ away }: Moment): Relocation | null {
  if (away === undefined) return null;
  const [since, shown] = away;
  return { since: noon + since * 1000, isConfirmed: shown !== "once", isOver: shown === "there" };
}

function verdictOf({ valid = true, elsewhere = false }: Moment): Verdict {
  if (!valid) return { valid: false, rejectReason: "no_fix", discontinuity: false };
  return elsewhere ? acceptedDiscontinuity : accepted;
}

function frameOf(moment: Moment): Frame {
  const { at, valid = true, north = 0 } = moment;
  return frameWith({
    recordedAt: noon + at * 1000,
    receivedAt: noon + at * 1000 + 500,
    digest: at,
    fix: valid,
    source: "gps",
    latitude: valid ? 52 + north / 111_195 : null,
    longitude: valid ? 13 : null,
    speed_kmh: moment.speed ?? null,
    ignition: moment.ignition ?? null,
    accuracy_m: moment.accuracy ?? null,
    satellites: moment.satellites ?? null,
    battery_percent: moment.battery ?? null,
    external_voltage_v: moment.volts ?? null,
    event: moment.event ?? null,
    sensors: moment.sensors ?? [],
  });
}
