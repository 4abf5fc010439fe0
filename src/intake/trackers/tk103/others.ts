import { decoded, problemOf, reported, reportedNow, untimedAlarm } from "../kit/decoded.ts";
import type { DecodedMessage } from "../kit/family.ts";
import { decimalOf, isUnset, namesOfFilled, timeOfDigits } from "../kit/text-values.ts";
import { meaningOf } from "./alarms.ts";
import type { Tk103Message } from "./message.ts";

type Report = DecodedMessage<null>;

/** Kinds that we know and that have nothing for a frame: how the owner reads them, and what is not read. */
const named: ReadonlyMap<string, readonly [what: string, unread: string]> = new Map([
  ["BV00", ["chassis number BV00", "chassis number"]],
  ["BS50", ["battery pack BS50", "battery pack"]],
  ["BS51", ["battery pack BS51", "battery pack"]],
  ["BQ86", ["OBD BQ86", "OBD values"]],
  ["ZC03", ["answer to a command ZC03", "text of the answer"]],
]);

/** Levels of the battery, from 2 to 6, as percent; 255: not known. */
const percentOfLevel: readonly (number | null)[] = [null, null, 10, 20, 50, 80, 100];

/** Messages without a place. */
export function decodeOther(message: Tk103Message, receivedAt: number): Report {
  const { kind, body } = message;
  const name = named.get(kind);
  if (name !== undefined) return decoded(name[0], null, { unread: [name[1]] });
  const isLogin = kind === "BP00" || kind === "BP05";
  if (kind === "BZ00" || body.includes("{")) {
    // They have no time and are not sent again later: they hold when they come.
    const what = isLogin ? `login ${kind}` : `cell towers ${kind}`;
    const again = { "number again": body.slice(0, Math.max(0, body.indexOf("{"))) };
    return decoded(what, null, {
      ...reportedNow(receivedAt, { fix: false }),
      unread: ["cell towers", ...namesOfFilled(again)],
    });
  }
  if (isLogin) return decoded(`login ${kind}`, null, { unread: namesOfFilled({ "number again": body }) });
  if (kind === "ZC20") return decodeBattery(body);
  if (kind.startsWith("DW")) return decodeNetworks(message, receivedAt);
  const { events } = meaningOf(kind, body);
  if (events.length > 0) return decoded(`alarm ${kind}`, null, untimedAlarm({ fix: false }, events, receivedAt));
  return decoded("unknown", null, { problem: problemOf("unknown_message", `message ${kind}`) });
}

/** Date, time, level, hundredths of a volt of its own battery, tenths of a volt of the vehicle, whether it is installed. */
function decodeBattery(body: string): Report {
  const [date = "", time = "", level, ownVoltage, power, installed] = body.split(",");
  const tenths = decimalOf(power);
  const read = {
    battery_percent: percentOfLevel[decimalOf(level) ?? 0] ?? null,
    external_voltage_v: tenths === null || tenths === 65_535 ? null : tenths / 10,
  };
  const unread = namesOfFilled({ "voltage of its battery": ownVoltage, "whether it is installed": installed });
  return decoded("battery ZC20", null, { ...reported(timeOfDigits(date, time, "dmy"), read), unread });
}

/** Cell towers and WiFi networks, with the date and time at the end. No place is made up from them. */
function decodeNetworks({ kind, body }: Tk103Message, receivedAt: number): Report {
  const clock = /(\d{6}),(\d{6})[^,]*$/.exec(body);
  const { events, ignition } = meaningOf(kind, "");
  const read = { fix: false, ignition };
  return decoded(`networks ${kind}`, null, {
    ...(clock === null || isUnset(clock[1] ?? "")
      ? untimedAlarm(read, events, receivedAt)
      : reported(timeOfDigits(clock[1] ?? "", clock[2] ?? "", "dmy"), read, events)),
    unread: ["cell towers", "WiFi networks", "number of cell towers"],
  });
}
