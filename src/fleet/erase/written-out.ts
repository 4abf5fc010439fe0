import { formatInstant } from "../../domain/time.ts";
import type { Reader } from "../../store/database.ts";
import type { DeviceKey } from "../../store/device-key.ts";
import {
  describedDevice,
  membersOf,
  type StoredPart,
  type StoredRow,
  storedOfUser,
  storedParts,
} from "../../store/erase/stored-rows.ts";
import { accountLine, alertSettingsLines, geofenceLines, type Line } from "../lines.ts";

/**
 * What is stored of something as lines of NDJSON. The records of the fleet and the frames are lines of a fleet file, with
 * what is known besides; the rest are rows as they are stored, with times that people can read.
 */
export type Lines = AsyncGenerator<Line, void, void>;

export async function* linesOfDevice(reader: Reader, key: DeviceKey): Lines {
  const described = await describedDevice(reader, key);
  const imei = String(described?.removed_imei ?? described?.imei ?? "");
  if (described !== null) {
    const { tags_json, external_ids_json, search_text: _, removed_imei: __, erasing_at: ___, ...fields } = described;
    const tags = JSON.parse(String(tags_json));
    yield {
      type: "device",
      ...readable({ ...fields, imei }),
      tags,
      external_ids: JSON.parse(String(external_ids_json)),
    };
    yield* await alertSettingsLines(reader, key.accountId, [String(described.id)]);
  }
  for await (const part of storedParts(reader, key)) yield lineOf(part, imei);
}

export async function* linesOfUser(reader: Reader, accountId: number, userId: string): Lines {
  for (const part of await storedOfUser(reader, accountId, userId)) yield lineOf(part, "");
}

export async function* linesOfAccount(reader: Reader, accountId: number): Lines {
  yield await accountLine(reader, accountId);
  const { devices, users } = await membersOf(reader, accountId);
  for (const id of users) yield* linesOfUser(reader, accountId, id);
  yield* await geofenceLines(reader, accountId, null);
  for (const device of devices) yield* linesOfDevice(reader, { accountId, device });
}

function lineOf(part: StoredPart, imei: string): Line {
  if (!("frame" in part)) return { type: part.type, ...readable(part.row) };
  const { recordedAt, receivedAt, digest: _, ...reported } = part.frame.frame;
  const { valid, rejectReason } = part.frame.verdict;
  const times = { recorded_at: formatInstant(recordedAt), received_at: formatInstant(receivedAt) };
  return { type: part.type, imei, ...times, ...reported, valid, reject_reason: rejectReason };
}

/** Without numbers that mean nothing outside of the store. */
function readable({ account_id: _, device: __, ...row }: StoredRow): Record<string, unknown> {
  const isMoment = (name: string) => name.endsWith("_at") || name === "valid_from" || name === "ignition_since";
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => value !== null && name !== "final_at")
      .map(([name, value]) => [name, isMoment(name) ? formatInstant(Number(value)) : value]),
  );
}
