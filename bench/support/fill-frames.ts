import type { RawRow, RawStore } from "./raw-store.ts";

/**
 * Copies everything that a few template devices have stored to all other devices: frames, checkpoints, live positions, trips,
 * mileage, readings, the log of changes. All of it was derived by the program itself from the templates' frames, and none of
 * it depends on the device, except for the ids of facts: so it is exactly what the program would have stored for a device
 * that had sent the same frames. Tables are found by their columns, so this serves every version.
 */
export interface Copies {
  /** Which template each other device follows. */
  readonly templateOf: ReadonlyMap<number, number>;
  /** The public id of each device. */
  readonly idOf: ReadonlyMap<number, string>;
  /** About four frames of a device: so many come in between those of others. */
  readonly sliceMs: number;
}

type Progress = (what: string, done: number, total: number) => void;

/** These describe the devices themselves. */
const fleetTables = ["devices", "device_directory"];
const timeColumns = ["recorded_at", "from_at"];
const slicesPerCommit = 50;

export async function copyDevices(store: RawStore, copies: Copies, progress: Progress): Promise<void> {
  const { templateOf } = copies;
  const templates = [...new Set(templateOf.values())];
  if (templates.length === 0) return;
  await store.run(
    "create table bench_copies (template bigint not null, device bigint not null, primary key (template, device))",
  );
  await insertRows(
    store,
    "bench_copies",
    Array.from(templateOf, ([device, template]) => ({ template, device })),
  );
  for (const [table, columns] of await store.tablesWith(["account_id", "device"])) {
    if (fleetTables.includes(table) || table === "bench_copies") continue;
    await store.run(`create table bench_rows as select * from ${table} where device in (${templates.join(", ")})`);
    const [first] = await store.all("select count(*) as count from bench_rows");
    if (Number(first?.count) > 0) await copyTable(store, table, columns, copies, progress);
    await store.run("drop table bench_rows");
  }
  await store.run("drop table bench_copies");
  if (store.engine === "postgres") await store.run("vacuum analyze");
}

async function copyTable(
  store: RawStore,
  table: string,
  columns: readonly string[],
  copies: Copies,
  progress: Progress,
): Promise<void> {
  if (columns.includes("id")) return copyFacts(store, table, copies);
  const others = columns.filter((column) => column !== "device");
  const selected = others.map((column) => `t.${column}`).join(", ");
  const copy = (condition: string) =>
    store.run(`
      insert into ${table} (device, ${others.join(", ")})
      select c.device, ${selected} from bench_rows t join bench_copies c on c.template = t.device where ${condition}`);
  const time = timeColumns.find((column) => columns.includes(column));
  // One row of a device, or a few.
  if (time === undefined || table === "latest_positions") return copy("true");
  await store.run(`create index bench_rows_by_time on bench_rows (${time})`);
  const [range] = await store.all(`select min(${time}) as first, max(${time}) as last from bench_rows`);
  const [first, last] = [Number(range?.first), Number(range?.last)];
  const total = Math.ceil((last + 1 - first) / copies.sliceMs);
  // In the order of time, device after device, as they came in.
  for (let begin = 0; begin < total; begin += slicesPerCommit) {
    await store.run("begin");
    for (let slice = begin; slice < Math.min(total, begin + slicesPerCommit); slice++) {
      const from = first + slice * copies.sliceMs;
      await copy(`t.${time} >= ${from} and t.${time} < ${from + copies.sliceMs}`);
    }
    await store.run("commit");
    progress(table, Math.min(total, begin + slicesPerCommit), total);
  }
}

/** Facts have an id that is made from their device and their key, and alerts name the trip they happened on. */
async function copyFacts(store: RawStore, table: string, { templateOf, idOf }: Copies): Promise<void> {
  const templates = [...new Set(templateOf.values())];
  const trips = await store.all(`select id, started_at from trips where device in (${templates.join(", ")})`);
  const tripKeys = new Map(trips.map((trip) => [trip.id ?? null, factKey("trips", trip)]));
  const facts = Map.groupBy(await store.all("select * from bench_rows"), ({ device }) => Number(device));
  const copied = Array.from(templateOf, ([device, template]) =>
    (facts.get(template) ?? []).map((fact) => {
      const key = factKey(table, fact);
      if (idOfFact(idOf.get(template), key) !== fact.id) throw new Error(`${table} has other ids than expected`);
      const trip = "trip_id" in fact ? tripKeys.get(fact.trip_id ?? null) : undefined;
      const tripId = trip === undefined ? {} : { trip_id: idOfFact(idOf.get(device), trip) };
      return { ...fact, device, id: idOfFact(idOf.get(device), key), ...tripId };
    }),
  );
  await insertRows(store, table, copied.flat());
}

/** As `factKey` of src/domain/facts.ts. The templates have no fences, and no alerts of sensors. */
function factKey(table: string, fact: RawRow): string {
  return table === "trips" ? `trip ${fact.started_at}` : `alert ${fact.alert_type} ${fact.occurred_at} `;
}

function idOfFact(deviceId: string | undefined, key: string): string {
  return Bun.randomUUIDv5(key, deviceId ?? "");
}

const rowsPerInsert = 1_000;

async function insertRows(store: RawStore, table: string, rows: readonly RawRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  for (let begin = 0; begin < rows.length; begin += rowsPerInsert) {
    const values = rows
      .slice(begin, begin + rowsPerInsert)
      .map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(", ")})`);
    await store.run(`insert into ${table} (${columns.join(", ")}) values ${values.join(", ")}`);
  }
}

function literal(value: RawRow[string] | boolean): string {
  if (value === null) return "null";
  return typeof value === "string" && !/^-?\d+$/.test(value) ? `'${value.replaceAll("'", "''")}'` : String(value);
}
