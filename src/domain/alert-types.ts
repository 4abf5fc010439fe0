/**
 * Every alert that Odograph raises. A new one is an entry here, and:
 * - its rule in `alerts/`, unless its source is `event` or `crossing`: those are raised by the catalogue alone;
 * - its texts in the portal's four languages (the compiler asks for them);
 * - a row in docs/fleet-file.md (a test asks), and for an event its name in docs/ingest.md;
 * - the clients, generated again as after every change of the API's description (CONTRIBUTING.md);
 * - `rulesVersion`, once for each release (CONTRIBUTING.md, *Making a release*);
 * - a name that Traccar has for the event: a line of `eventByAlarm` in `src/intake/formats/traccar-attributes.ts`.
 * Tests: test/docs/alert-types, test/domain/alerts-states, test/portal/page-alert-words, test/client/types.
 */
export const severities = ["info", "warning", "critical"] as const;

export type Severity = (typeof severities)[number];

/** What a parameter of a rule may be. The default is what holds if a rule says nothing; null: there is none. */
export type AlertParameter =
  | {
      readonly kind: "number";
      readonly unit: Unit;
      readonly min: number;
      readonly max: number;
      readonly default: number | null;
    }
  | { readonly kind: "choice"; readonly unit: Unit; readonly values: readonly number[]; readonly default: number }
  /** The name of a sensor: the rule holds for that one only. */
  | { readonly kind: "sensor"; readonly default: null }
  /** One number for all axles, or one for each that is named. */
  | {
      readonly kind: "by_axle";
      readonly unit: Unit;
      readonly min: number;
      readonly max: number;
      readonly default: null;
    }
  /** When the rule holds. Every rule may have them; a type that names them raises nothing without. */
  | { readonly kind: "times"; readonly default: null };

export type Unit = "km/h" | "s" | "%" | "V" | "°C" | "kPa";

/** What an alert's message is made of. The value is null until it is known. */
export interface Finding {
  /** The sensor or the fence; empty where there is none. */
  readonly name: string;
  readonly value: number | null;
  readonly threshold: number | null;
  readonly unit: string | null;
}

interface AlertKind {
  /** Unless a rule names another. */
  readonly severity: Severity;
  /** Which values make it critical, unless a rule names a severity; null: none does. */
  readonly isCritical: ((worst: number, threshold: number) => boolean) | null;
  /** Bounds are generous: they refuse only obvious slips. */
  readonly parameters: Readonly<Record<string, AlertParameter>>;
  /** What a value is compared with: a parameter, or made of those set. Null: not measured; a result of null raises nothing. */
  readonly threshold: string | ((set: (parameter: string) => number | null) => number | null) | null;
  /** Of value and threshold; null: nothing is measured, or each alert says its own. */
  readonly unit: Unit | null;
  /** The alert in one sentence for a person. */
  readonly message: (found: Finding) => string;
  /**
   * `event`: the tracker reports it itself. `state`: it is judged frame by frame. `sensor`: so, from readings, and it ends if
   * the sensor falls silent. `crossing`: a rule names the fence. `fuel`: a level that rose or fell. `silence`: by the clock.
   */
  readonly source: "event" | "state" | "sensor" | "crossing" | "fuel" | "silence";
  /** A repetition so soon after the end belongs to the same alert; null: its end is final. */
  readonly repeatMs: number | null;
}

const dayS = 86_400;
/** A tracker repeats an event every few seconds while it lasts: that is one alert. */
const sameEventMs = 60_000;
/** Two harsh manoeuvres in a minute are two alerts; repeats of one come within seconds. */
const sameManoeuvreMs = 10_000;
/** A supply of either voltage is low below this. */
const lowVoltsByNominal = { 12: 11.5, 24: 23 } as const;
/** A tyre is low from 80 % of its nominal pressure down. */
const lowTyrePercent = 80;

/** Judged frame by frame, with one severity, and its end is final. */
const state = { severity: "warning", isCritical: null, source: "state", repeatMs: null } as const;
const sensor = { ...state, source: "sensor" } as const;
const notMeasured = { isCritical: null, parameters: {}, threshold: null, unit: null } as const;
const trackerEvent = { ...notMeasured, source: "event" } as const;
const alarm = { ...trackerEvent, severity: "critical", repeatMs: sameEventMs } as const;
const harsh = { ...trackerEvent, severity: "warning", repeatMs: sameManoeuvreMs } as const;
const crossing = { ...notMeasured, severity: "info", source: "crossing", repeatMs: null } as const;
const fuel = { ...notMeasured, source: "fuel", repeatMs: null } as const;

/** At least a minute: what is shorter happens at every traffic light. */
const after = (seconds: number) =>
  ({ after_s: { kind: "number", unit: "s", min: 60, max: 30 * dayS, default: seconds } }) as const;
const temperature = { kind: "number", unit: "°C", min: -100, max: 300, default: null } as const;

export const alertCatalogue = {
  speeding: {
    ...state,
    isCritical: (worst, limit) => worst >= limit + 30,
    parameters: { limit_kmh: { kind: "number", unit: "km/h", min: 1, max: 300, default: null } },
    threshold: "limit_kmh",
    unit: "km/h",
    message: ({ value, threshold }) => `${rounded(value)} km/h where ${rounded(threshold)} km/h are allowed`,
    repeatMs: 60_000,
  },
  geofence_enter: { ...crossing, message: ({ name }) => `Entered ${name}` },
  geofence_exit: { ...crossing, message: ({ name }) => `Left ${name}` },
  sos: { ...alarm, message: () => "The panic button was pressed" },
  crash: { ...alarm, message: () => "The tracker reports a crash" },
  power_cut: { ...alarm, message: () => "The tracker was cut off from the vehicle's power" },
  tampering: { ...alarm, message: () => "The tracker reports that it was tampered with" },
  jamming: { ...alarm, message: () => "The tracker reports that its radio is jammed" },
  harsh_acceleration: { ...harsh, message: () => "Harsh acceleration" },
  harsh_braking: { ...harsh, message: () => "Harsh braking" },
  harsh_cornering: { ...harsh, message: () => "Harsh cornering" },
  towing: {
    ...state,
    ...notMeasured,
    severity: "critical",
    message: () => "The vehicle was moved with its ignition off",
  },
  unauthorised_movement: {
    ...state,
    ...notMeasured,
    parameters: { times: { kind: "times", default: null } },
    message: () => "The vehicle was driven at a time when it should stand",
  },
  idling: {
    ...state,
    severity: "info",
    parameters: after(600),
    threshold: "after_s",
    unit: "s",
    message: ({ value, threshold }) =>
      value === null
        ? `The engine has been running at a standstill for over ${minutes(threshold)} min`
        : `The engine ran at a standstill for ${minutes(value)} min`,
  },
  low_battery: {
    ...sensor,
    isCritical: (worst) => worst < 10,
    parameters: { below_percent: { kind: "number", unit: "%", min: 1, max: 99, default: 20 } },
    threshold: "below_percent",
    unit: "%",
    message: ({ value, threshold }) => `The tracker's battery is at ${rounded(value)} %, below ${rounded(threshold)} %`,
  },
  low_external_voltage: {
    ...sensor,
    parameters: {
      below_v: { kind: "number", unit: "V", min: 1, max: 100, default: lowVoltsByNominal[12] },
      nominal_v: { kind: "choice", unit: "V", values: [12, 24], default: 12 },
    },
    threshold: (set) => set("below_v") ?? lowVoltsByNominal[set("nominal_v") === 24 ? 24 : 12],
    unit: "V",
    message: ({ value, threshold }) => `The vehicle's supply is at ${rounded(value)} V, below ${rounded(threshold)} V`,
  },
  fuel_drain: {
    ...fuel,
    severity: "critical",
    message: ({ name, value, unit }) => `${rounded(value)} ${unit} taken from ${name}`,
  },
  fuel_refill: {
    ...fuel,
    severity: "info",
    message: ({ name, value, unit }) => `${rounded(value)} ${unit} filled into ${name}`,
  },
  temperature_high: {
    ...sensor,
    isCritical: (worst, above) => worst >= above + 5,
    parameters: { above_c: temperature, sensor: { kind: "sensor", default: null } },
    threshold: "above_c",
    unit: "°C",
    message: ({ name, value, threshold }) => `${rounded(value)} °C at ${name}, above ${rounded(threshold)} °C`,
  },
  temperature_low: {
    ...sensor,
    isCritical: (worst, below) => worst <= below - 5,
    parameters: { below_c: temperature, sensor: { kind: "sensor", default: null } },
    threshold: "below_c",
    unit: "°C",
    message: ({ name, value, threshold }) => `${rounded(value)} °C at ${name}, below ${rounded(threshold)} °C`,
  },
  tyre_pressure_low: {
    ...sensor,
    // 70 % of the nominal pressure; the threshold is 80 % of it.
    isCritical: (worst, low) => worst * 8 <= low * 7,
    parameters: { nominal_kpa: { kind: "by_axle", unit: "kPa", min: 50, max: 2000, default: null } },
    threshold: (set) => lowPressureOf(set("nominal_kpa")),
    unit: "kPa",
    message: ({ name, value, threshold }) =>
      `${rounded(value)} kPa in ${name}, where ${rounded(threshold)} kPa is already low`,
  },
  tyre_temperature_high: {
    ...sensor,
    parameters: { above_c: { kind: "number", unit: "°C", min: 1, max: 300, default: 85 } },
    threshold: "above_c",
    unit: "°C",
    message: ({ name, value, threshold }) =>
      `${rounded(value)} °C in ${name}, where ${rounded(threshold)} °C is already hot`,
  },
  gps_lost: {
    ...state,
    parameters: after(900),
    threshold: "after_s",
    unit: "s",
    message: ({ value, threshold }) =>
      value === null
        ? `No position for over ${minutes(threshold)} min of a trip`
        : `No position for ${minutes(value)} min of a trip`,
  },
  device_offline: {
    ...state,
    parameters: after(dayS),
    threshold: "after_s",
    unit: "s",
    message: ({ threshold }) => `No frame for ${durationText(threshold ?? 0)}`,
    source: "silence",
  },
} as const satisfies Record<string, AlertKind>;

export type AlertType = keyof typeof alertCatalogue;

export type AlertTypeFrom<Source extends AlertKind["source"]> = {
  [Type in AlertType]: (typeof alertCatalogue)[Type]["source"] extends Source ? Type : never;
}[AlertType];

export const alertTypes = Object.keys(alertCatalogue) as readonly AlertType[];

/** What is known of a type, for code that treats all types alike. */
export function alertKind(alertType: AlertType): AlertKind {
  return alertCatalogue[alertType];
}

export function lowPressureOf(nominalKpa: number | null): number | null {
  return nominalKpa === null ? null : (nominalKpa * lowTyrePercent) / 100;
}

/** As a person writes it: at most one decimal. */
function rounded(value: number | null): string {
  return value === null ? "?" : String(Math.round(value * 10) / 10);
}

function minutes(seconds: number | null): string {
  return seconds === null ? "?" : String(Math.floor(seconds / 60));
}

/** In the largest unit that yields a whole number. */
function durationText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
