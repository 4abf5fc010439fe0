import { hexNumberOf, queclinkNumber } from "./message.ts";
import type { Model } from "./models.ts";
import { queclinkState } from "./states.ts";

/** What stands after the position and its cell. */
export interface TailValues {
  readonly satellites: number | null;
  readonly odometerKm: number | null;
  readonly batteryPercent: number | null;
  readonly temperatureC: number | null;
  /** Null: not said, or the device has no ignition wire. */
  readonly ignition: boolean | null;
  /** After what all models have in common: accessories begin here. */
  readonly rest: readonly string[];
  /** Columns between those that are read. */
  readonly others: string;
}

const mileage = String.raw`(?<km>\d{1,9}\.\d{1,3}|0)?`;
const hours = String.raw`(?:\d{1,7}:\d\d:\d\d)?`;
const battery = String.raw`(?<battery>\d{1,3})`;

/** From the beginning, and up to the end of a column. */
function form(pattern: string): RegExp {
  return new RegExp(`^${pattern}(?=,|$)`, "i");
}

interface Layout {
  readonly form: RegExp;
  /** Only of these models. */
  readonly model?: keyof Model;
  /** Only of these reports. */
  readonly types?: readonly string[];
  /** Its first column is something else than an append mask, so a message with a mask has another layout. */
  readonly isWithoutMask?: true;
}

/** Vehicles: mileage, hours, one to four inputs, battery, state. */
const withState = form(`${mileage},${hours},(?:[^,]*,){1,4}?${battery}?,[0-9A-F]{0,4}(?<state>[0-9A-F]{2})[0-9A-F]{4}`);

/** All layouts there are, as they are after the append mask and its columns. The first that fits counts. */
const layouts: readonly Layout[] = [
  { form: withState },
  { model: "shortState", form: form(`${mileage},${hours},(?:[^,]*,){1,4}?${battery}?,(?<state>[124][12A6])`) },
  { model: "batteryAfterMileage", isWithoutMask: true, form: form(`${mileage},${battery}`) },
  { model: "oneInput", form: form(`${mileage},${hours},[^,]*,,?${battery}`) },
  // Portable ones: mileage or nothing, and the battery; mileage alone; an interval, the signal and the battery.
  { isWithoutMask: true, form: form(`(?:${mileage}|\\d*),${battery}$`) },
  { isWithoutMask: true, form: form(String.raw`(?<km>\d{1,9}\.\d{1,3})$`) },
  { isWithoutMask: true, form: form(`(?:[0-9A-F]{12},-?\\d*,\\d*|\\d*,-?\\d*),${battery}$`) },
  // GL500M: signal, errors, volts or light, battery, mode, movement, temperature.
  {
    isWithoutMask: true,
    form: form(`\\d{0,3},\\d{0,2},\\d*,${battery},[01],[01]?,(?:(?<temperature>-?\\d{1,3}\\.\\d)|[^,]*)`),
  },
  // GV200: mileage, hours, three inputs, then the digital ones and the outputs.
  { form: form(`${mileage},${hours},(?:[^,]*,){3}[0-9A-F]{0,2},[0-9A-F]{0,2}`) },
  { types: ["IGN", "IGF", "VGN", "VGF"], form: form(`${hours},${mileage}`) },
  { form: form(mileage) },
];

/** Bits of the append mask: satellites, what started the receiver, state of the device, three accuracies, jamming. */
const appendedColumns = [1, 1, 1, 3, 1] as const;
const stateBit = 2;
const allBits = 0b11111;
/** Some firmware has columns for these only, whatever the mask says. */
const fewBits = 0b1001;

export function readTail(type: string, model: Model, tail: readonly string[]): TailValues {
  const { isMasked, satellites, state, after } = readAppended(model, tail);
  const match = firstMatch(type, model, tail.join(","), after.join(","), isMasked);
  const found = match?.groups ?? {};
  const odometerKm = queclinkNumber(found.km);
  return {
    satellites,
    // A tracker that does not count writes 0.
    odometerKm: odometerKm === 0 ? null : odometerKm,
    batteryPercent: queclinkNumber(found.battery),
    temperatureC: queclinkNumber(found.temperature),
    ignition: queclinkState(found.state ?? state)?.ignition ?? null,
    rest: match === null ? tail : match.input.slice(match[0].length + 1).split(","),
    others: Object.values(found).reduce((text: string, value) => text.replace(value ?? "", ""), match?.[0] ?? ""),
  };
}

function firstMatch(type: string, model: Model, whole: string, after: string, isMasked: boolean) {
  for (const layout of layouts) {
    if (layout.isWithoutMask === true && isMasked) continue;
    if (layout.model !== undefined && model[layout.model] === undefined) continue;
    if (layout.types !== undefined && !layout.types.includes(type)) continue;
    const match = layout.form.exec(layout.isWithoutMask === true ? whole : after);
    if (match !== null) return match;
  }
  return null;
}

interface Appended {
  readonly isMasked: boolean;
  readonly satellites: number | null;
  readonly state: string | undefined;
  /** What comes after mask and columns. */
  readonly after: readonly string[];
}

/**
 * A mask has two digits, and the first is a zero as a rule. Models without one have something else there, such as the strength of
 * the signal: so another number is a mask only if what follows its columns is what vehicles send. That also shows which columns
 * there are, since firmware of one model differs.
 */
function readAppended(model: Model, tail: readonly string[]): Appended {
  const [first = ""] = tail;
  const mask = /^[01][0-9A-F]$/i.test(first) ? (hexNumberOf(first) ?? 0) : 0;
  const unmasked = { isMasked: false, satellites: null, state: undefined, after: tail.slice(1) };
  if (mask === 0) return unmasked;
  const usual = withoutColumns(model, tail, mask & (model.appendBits ?? allBits));
  const isVehicle = (appended: Appended) => withState.test(appended.after.join(","));
  const fitting = [usual, withoutColumns(model, tail, mask), withoutColumns(model, tail, mask & fewBits)].find(
    isVehicle,
  );
  return fitting ?? (first.startsWith("0") ? usual : unmasked);
}

function withoutColumns(model: Model, tail: readonly string[], mask: number): Appended {
  let at = 1;
  const columns = appendedColumns.map((length, bit) => {
    if ((mask & (1 << bit)) === 0) return undefined;
    at += length;
    return tail[at - length];
  });
  const state = /^[0-9A-F]{6,10}$/i.test(columns[stateBit] ?? "") ? columns[stateBit]?.slice(-6, -4) : undefined;
  const satellites = queclinkNumber(columns[model.satellitesBit ?? 0]);
  return { isMasked: true, satellites, state, after: tail.slice(at) };
}
