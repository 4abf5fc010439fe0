import type { Database } from "../../src/store/database.ts";
import { startApi } from "./api.ts";

/** What a store showed to one key at one path: all pages of a list, or one record, or why there is none. */
export interface RecordedAnswer {
  /** The name of the key in `keys.json`. */
  readonly key: string;
  readonly path: string;
  readonly status: number;
  readonly data: unknown;
}

const window = "from=2026-11-02T00:00:00Z&to=2026-11-20T00:00:00Z";
const pageRows = 500;

/** Every list and record that a key can be shown. `devices` and `users` are the ids it sees. */
function pathsFor(devices: readonly string[], users: readonly string[]): string[] {
  const windowed = ["/trips", "/alerts", "/geofence-events", "/sensors/fuel", "/sensors/temperature", "/sensors/tyre"];
  return [
    "/devices",
    "/devices?search=VAN",
    "/devices?status=active",
    "/positions/latest",
    "/geofences",
    "/users",
    ...users.map((id) => `/users/${id}`),
    ...windowed.map((path) => `${path}?${window}`),
    ...["acknowledged=true", "acknowledged=false", "severity=critical"].map((filter) => `/alerts?${window}&${filter}`),
    `/reports/mileage?${window}`,
    ...devices.flatMap((id) => [
      `/devices/${id}`,
      `/devices/${id}/alert-settings`,
      `/devices/${id}/geofences`,
      `/positions/history?device_id=${id}&valid_only=false&${window}`,
      `/trips?device_id=${id}&${window}`,
      `/reports/mileage?device_id=${id}&${window}`,
    ]),
  ];
}

/** Asks a store for everything, with each key, as its customers would. */
export async function answersOf(database: Database, keys: Readonly<Record<string, string>>): Promise<RecordedAnswer[]> {
  const { get, close } = await startApi(database);
  const read = async (key: string, path: string): Promise<RecordedAnswer> => {
    const paged = path.includes("?") ? `${path}&limit=${pageRows}` : path;
    const data: unknown[] = [];
    let cursor: string | null = null;
    for (;;) {
      const address = cursor === null ? paged : `${paged}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
      const { status, body } = await get(address, keys[key] ?? null);
      if (status !== 200) return { key, path, status, data: body.error.code };
      if (!Array.isArray(body.data)) return { key, path, status, data: body.data };
      data.push(...body.data);
      cursor = body.next_cursor;
      if (cursor === null) return { key, path, status, data };
    }
  };
  const idsOf = async (key: string, path: string, name: string) => {
    const { data } = await read(key, path);
    return Array.isArray(data) ? data.map((record) => String(record[name])) : [];
  };
  try {
    const answers: RecordedAnswer[] = [];
    for (const key of Object.keys(keys)) {
      const first = await read(key, "/devices");
      // One refusal says it all, and more of them would be counted as guesses.
      if (first.status === 401) {
        answers.push(first);
        continue;
      }
      const devices = await idsOf(key, "/devices", "device_id");
      const users = await idsOf(key, "/users", "user_id");
      for (const path of pathsFor(devices, users)) answers.push(await read(key, path));
    }
    return answers;
  } finally {
    await close();
  }
}

/** Where an answer lacks or contradicts what was recorded. A field that a later version added is no difference. */
export function contradictions(recorded: unknown, now: unknown, at = ""): string[] {
  if (Array.isArray(recorded)) {
    if (!Array.isArray(now)) return [`${at}: was a list`];
    if (recorded.length !== now.length) return [`${at}: had ${recorded.length} entries, has ${now.length}`];
    return recorded.flatMap((entry, index) => contradictions(entry, now[index], `${at}[${index}]`));
  }
  if (recorded !== null && typeof recorded === "object") {
    if (now === null || typeof now !== "object") return [`${at}: was an object, is ${JSON.stringify(now)}`];
    const fields = now as Record<string, unknown>;
    return Object.entries(recorded).flatMap(([name, value]) => contradictions(value, fields[name], `${at}.${name}`));
  }
  return Object.is(recorded, now) ? [] : [`${at}: was ${JSON.stringify(recorded)}, is ${JSON.stringify(now)}`];
}
