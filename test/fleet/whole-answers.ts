import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { windows } from "../follow/frames.ts";
import { changeTypes, type Row, readLists } from "../follow/lists.ts";
import { type ApiUnderTest, everyRecord, keyOf, startApi } from "../support/api.ts";

/** When a record was stored says nothing about the fleet; the ids of facts hold numbers of the store. */
const ofTheStore = ["created_at", "updated_at", "assigned_at", "last_login_at", "trip_id", "alert_id", "event_id"];

/**
 * All that the API shows to each active user of the store, by e-mail: every list, each device with its settings and fences,
 * and where everything is now.
 */
export async function wholeAnswers(database: Database): Promise<ReadonlyMap<string, unknown>> {
  const users = await database.all<{ email: string }>(
    sql`select email from users where status = 'active' and removed_at is null order by email`,
  );
  const api = await startApi(database);
  const answers = new Map<string, unknown>();
  try {
    for (const { email } of users) answers.set(email, await answersOf(api, await keyOf(database, email)));
  } finally {
    await api.close();
  }
  return answers;
}

async function answersOf(api: ApiUnderTest, key: string): Promise<unknown> {
  const read = async (path: string): Promise<Row[]> => (await everyRecord(api, key, path)) ?? [];
  const devices = (await read("/devices?")).map(({ device_id }) => device_id as string);
  const lists = await readLists(read, { types: changeTypes, deviceId: null, deviceIds: devices, windows });
  const fences = new Map<string, Row[]>();
  for (const id of devices) fences.set(id, await read(`/devices/${id}/geofences?`));
  const all = {
    lists: Object.fromEntries(lists),
    fences: Object.fromEntries(fences),
    live: await read("/positions/latest?"),
  };
  return JSON.parse(JSON.stringify(all, (name, value) => (ofTheStore.includes(name) ? undefined : value)));
}
