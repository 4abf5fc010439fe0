/**
 * What it costs to turn a page of 100 rows into the bytes of its body: as the API does it, and by `JSON.stringify` of plain
 * objects (`naive`). Run it with `node_modules/.bin/bun bench/present.ts [Trip]`.
 */
import { openJson } from "../src/api/formats/json.ts";
import { listDocument } from "../src/api/lists/list-page.ts";
import { type RecordUse, recordCases } from "../test/api/records/record-cases.ts";

const pageSize = 100;
const pages = 8;
const rounds = 400;
/** One kind of record alone, or all of them in one process, as in the server. */
const wanted = process.argv[2];
const encoder = new TextEncoder();
const asJson = { format: "json", open: () => openJson(false) } as const;

/** Rows as they follow one another in a page: times, places and readings move on, names and ids of the device stay. */
function moved<Row>(row: Row, index: number): Row {
  const step = (key: string, value: number) => {
    if (key.endsWith("_at")) return value + index * 10_000 + ((index * 7919) % 1000);
    if (key.endsWith("_e7")) return value + index * 1237;
    return /_(mm|m|ms|m_per_h|mdeg|mv|mc|ml|pa)$/.test(key) ? value + ((index * 7919) % 1000) * 10 : value;
  };
  // All rows of one shape, as the store gives them.
  const copy = { ...row } as Record<string, unknown>;
  for (const [key, value] of Object.entries(copy)) {
    if (typeof value === "number") copy[key] = step(key, value);
    else if (typeof value === "string") copy[key] = Buffer.from(value).toString();
  }
  return copy as Row;
}

function measured<Row>({ exampleRows, json, declared }: RecordUse<Row>): Record<string, number> {
  const all = Array.from({ length: pages }, (_, page) =>
    Array.from({ length: pageSize }, (_, index) => {
      const example = exampleRows[index % exampleRows.length] as Row;
      return moved(example, page * pageSize + index);
    }),
  );
  const ways: Record<string, (rows: Row[]) => Uint8Array> = {
    api: (rows) => encoder.encode(listDocument(asJson, json(rows), null).body),
    naive: (rows) => encoder.encode(JSON.stringify({ data: rows.map(declared.record), next_cursor: null })),
  };
  const timesNs = new Map(Object.keys(ways).map((way): [string, number[]] => [way, []]));
  for (let round = 0; round < rounds; round++) {
    for (const rows of all) {
      for (const [way, make] of Object.entries(ways)) {
        const start = Bun.nanoseconds();
        make(rows);
        // The first half warms up the compiler.
        if (round >= rounds / 2) timesNs.get(way)?.push(Bun.nanoseconds() - start);
      }
    }
  }
  return Object.fromEntries([...timesNs].map(([way, times]) => [way, undisturbed(times) / 1000]));
}

/** Other programs only ever add to a time, so the fastest tenth is more meaningful than the median. */
function undisturbed(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 10)] ?? Number.NaN;
}

console.log(`µs per page of ${pageSize}        api    naive     api:naive`);
for (const { name, use } of recordCases.filter(({ name }) => wanted === undefined || name === wanted)) {
  const { api = 0, naive = 0 } = use(measured);
  const figures = [api, naive].map((figure) => figure.toFixed(1).padStart(8));
  console.log(`${name.padEnd(20)} ${figures.join(" ")} ${(api / naive).toFixed(2).padStart(13)}`);
}
