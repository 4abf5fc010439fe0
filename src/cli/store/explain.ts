import type { DayPart } from "../../derive/explain/day-parts.ts";
import { type Explanation, explainId, explainMileage } from "../../derive/explain/explain.ts";
import { Failure } from "../../domain/errors.ts";
import { isImei, isUuid } from "../../domain/text/identifiers.ts";
import { dayOf, parseInstant } from "../../domain/time/time.ts";
import type { Reader } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import { directoryById } from "../../store/fleet/device-writes.ts";
import { type CommandCall, command, jsonOption } from "../common/command.ts";
import { textOption, wrongOption } from "../common/options.ts";
import { jsonInstant } from "../common/table.ts";
import { deviceOfImei, withStore } from "./open-store.ts";

export const explainCommand = command({
  name: "explain",
  summary: "say why a trip, a crossing or a day's mileage is as it is",
  details: [
    "Says in words what started and ended a trip, how a crossing was confirmed, what a day's mileage adds up from,",
    "and what was not counted and why. It changes no data. A server may be running. Times are UTC.",
  ].join("\n"),
  arguments: ["ID"],
  options: [
    { name: "date", placeholder: "DATE", help: "the mileage of this day; ID is a device or its IMEI" },
    jsonOption,
  ],
  run: explain,
});

async function explain(call: CommandCall): Promise<void> {
  const id = idArgument(call);
  const day = dateOption(call);
  const explanation = await withStore(call, async (reader) => {
    if (day === null) return (await explainId(reader, id)) ?? unknown(`there is no trip or crossing with the id ${id}`);
    const found = await explainMileage(reader, await deviceOf(reader, id), day);
    return found ?? unknown(`${id} has no mileage on ${textOption(call, "date")}`);
  });
  if (call.options.json) return call.terminal.out(JSON.stringify(explanationJson(explanation)));
  const { imei, notes, sections } = explanation;
  const indented = sections.map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join("\n"));
  call.terminal.out([`Device ${imei}`, ...notes, ...indented].join("\n"));
}

/** An IMEI only names a device, of which a day can be explained. */
function idArgument(call: CommandCall): string {
  const [id = ""] = call.arguments;
  if (isUuid(id)) return id.toLowerCase();
  if (!isImei(id)) throw new Failure("WRONG_CALL", `ID: expected a UUID or an IMEI, got "${id}"`);
  if (call.options.date === undefined) throw new Failure("WRONG_CALL", "--date is missing: an IMEI has many days");
  return id;
}

/** Days since 1970-01-01. */
function dateOption(call: CommandCall): number | null {
  const text = textOption(call, "date");
  if (text === null) return null;
  const midnight = text.length === "2027-01-31".length ? parseInstant(text) : null;
  if (midnight === null) throw wrongOption("date", "a date such as 2027-01-31", text);
  return dayOf(midnight);
}

async function deviceOf(reader: Reader, id: string): Promise<DeviceKey> {
  if (isImei(id)) return deviceOfImei(reader, id);
  const [entry] = await directoryById(reader, [id]);
  if (!entry) throw new Failure("NOT_FOUND", `there is no device with the id ${id}`);
  return { accountId: entry.account_id, device: entry.device };
}

function unknown(message: string): never {
  throw new Failure("NOT_FOUND", message);
}

function explanationJson({ kind, imei, notes, isAsStored, sections, parts }: Explanation) {
  return { kind, imei, as_stored: isAsStored, notes, sections, parts: parts.map(partJson) };
}

/** In whole millimetres and milliseconds, which add up exactly. */
function partJson({ kind, tripStartedAt, from, to, distanceMm, gapMm, drivingMs, idleMs }: DayPart) {
  return {
    kind,
    trip_started_at: jsonInstant(tripStartedAt),
    from: jsonInstant(from),
    to: jsonInstant(to),
    distance_mm: distanceMm,
    gap_distance_mm: gapMm,
    driving_ms: drivingMs,
    idle_ms: idleMs,
  };
}
