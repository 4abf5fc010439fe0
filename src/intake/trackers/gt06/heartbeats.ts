import { alarmCode, battery, externalVoltage, status } from "./condition.ts";
import { addTemperature, pass, passRest } from "./extras.ts";
import type { Layout } from "./layout.ts";
import type { Gt06Report } from "./report.ts";

/** Satellites of two systems in bits 10 to 14 and 5 to 9. */
function signals({ reader, fields }: Gt06Report): void {
  const bits = reader.u16();
  fields.satellites = ((bits >> 10) & 31) + ((bits >> 5) & 31);
}

function percent({ reader, fields }: Gt06Report): void {
  fields.battery_percent = reader.u8();
}

/** Working mode, voltage of its own battery, and in mode 4 a temperature. */
function modeAndTemperature(report: Gt06Report): void {
  const { reader, unread } = report;
  const mode = reader.u8();
  reader.pass(2 + 1 + 2, "voltage of its battery", unread);
  if (mode === 4) addTemperature(report, reader.i16() / 10);
  else reader.pass(2, "temperature of another mode", unread);
}

/** The highest bit means above zero. */
function signedTemperature(report: Gt06Report): void {
  const bits = report.reader.u16();
  addTemperature(report, ((bits & 0x8000 ? 1 : -1) * (bits & 0x7fff)) / 10);
}

/** Only ignition and charging are in the bits of GK310; its voltage is that of its own battery. */
function ignitionBit({ reader, fields }: Gt06Report): void {
  fields.ignition = (reader.u8() & 2) !== 0;
}

/** More bars, or a number of decibels; a byte above is no signal. */
const [maxBars, maxSignal] = [4, 31];
/** In hundredths: no vehicle has less, or more. */
const [minVolts, maxVolts] = [600, 4_000];
const maxLevel = 6;

/**
 * A level or percentage and the signal; or the vehicle's voltage in two bytes, then the signal (R11 and others). Where the second byte can be
 * no signal and the third can, it is a voltage. Where it can be both (11 % and 18, or 28.34 V), it is left out.
 */
function levelOrVoltage(report: Gt06Report): void {
  const { reader, fields, unread } = report;
  const [level = 0, second = 0, third = 0] = reader.bytes.subarray(reader.at, reader.end);
  const hundredths = level * 256 + second;
  const mayBeVoltage = hundredths >= minVolts && hundredths <= maxVolts && third >= 1 && third <= maxBars;
  if (second <= maxBars || !mayBeVoltage) battery(report);
  else if (second > maxSignal) fields.external_voltage_v = reader.u16() / 100;
  else if (level > maxLevel) reader.pass(2, "level of the battery or voltage of the vehicle", unread);
  else battery(report);
}

const behindLevel = "signal, port or voltage, language";

/** What follows the status, by the model where that is known. */
function stateOfVehicle(report: Gt06Report): void {
  const { reader, fields, unread, model } = report;
  if (model === "r11") externalVoltage(report);
  else if (model === "lw" || model === "seeworld") {
    battery(report);
    reader.pass(1, "signal", unread);
    // LW4G: tenths in twelve bits of two bytes. Seeworld: whole volts.
    fields.external_voltage_v = model === "lw" ? (reader.u16() & 0xfff) / 10 : reader.u8();
  } else levelOrVoltage(report);
}

const ofModel = (length: number) => ({ types: [0x13], lengths: [length], isLong: false, what: "heartbeat" });

/**
 * They have no time: the state is that of the moment in which it comes. The byte after the signal is an alarm in alarm messages
 * only. Here it is the state of a port, a voltage or nothing, so it is not read as one: a tracker would be "cut off" for ever.
 */
export const heartbeatLayouts: readonly Layout[] = [
  { ...ofModel(0x13), parts: [status, signals, alarmCode, pass(1, "language"), percent, modeAndTemperature] },
  {
    ...ofModel(0x15),
    parts: [
      pass(1 + 2 + 1 + 1, "state and signal"),
      percent,
      pass(1 + 2 + 1 + 2 + 2, "mode and voltages"),
      signedTemperature,
    ],
  },
  { types: [0x13], what: "heartbeat", parts: [status, stateOfVehicle, passRest(behindLevel)] },
  { types: [0x23], what: "heartbeat", parts: [ignitionBit, passRest("voltage of its battery, signal, language")] },
];
