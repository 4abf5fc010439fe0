import { Machines } from "../many-machines/machines.ts";

/**
 * Rows as the loader of TSBS, use case "iot", makes them, and three of its queries, on plain PostgreSQL. Written by ourselves after
 * its description. Positions are random walks: trips that anybody derives from them mean nothing.
 */
const fleets = ["East", "West", "North", "South"];
const stepMs = 10_000;
const rowsPerStatement = 10_000;

const schema = `
  create table tags (id int primary key, name text, fleet text, driver text, fuel_capacity double precision);
  create table readings (time timestamptz not null, tags_id int not null, latitude double precision,
    longitude double precision, elevation double precision, velocity double precision, heading double precision,
    grade double precision, fuel_consumption double precision);
  create table diagnostics (time timestamptz not null, tags_id int not null, fuel_state double precision,
    current_load double precision, status int);
  create index on readings (tags_id, time desc);
  create index on diagnostics (tags_id, time desc)`;

const ofTruck = (columns: string, table: string) =>
  `lateral (select ${columns} from ${table} x where x.tags_id = t.id order by time desc limit 1)`;

const queries: Readonly<Record<string, string>> = {
  "last location of a fleet": `select t.name, t.driver, r.longitude, r.latitude
    from tags t join ${ofTruck("longitude, latitude", "readings")} r on true where t.fleet = $1 and $2::timestamptz is not null`,
  "low fuel in a fleet": `select t.name, t.driver, d.fuel_state from tags t join ${ofTruck("fuel_state", "diagnostics")} d on true
    where t.fleet = $1 and d.fuel_state < 0.1 and $2::timestamptz is not null`,
  "stationary trucks of a fleet": `select t.name, t.driver from tags t join readings r on r.tags_id = t.id
    where t.fleet = $1 and r.time >= $2::timestamptz - interval '10 minutes' and r.time < $2::timestamptz
    group by 1, 2 having avg(r.velocity) < 1`,
};

export interface TruckFigure {
  readonly name: string;
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** Loads so many rows of each truck, then runs each query for some seconds over one connection. */
export async function measureTrucks(
  url: string,
  { trucks, rows, seconds }: { readonly trucks: number; readonly rows: number; readonly seconds: number },
): Promise<TruckFigure[]> {
  const machines = new Machines(url);
  await machines.find(new Map());
  const sql = new Bun.SQL(url, { max: 1 });
  const measure = async (name: string, work: () => Promise<number>): Promise<TruckFigure> => {
    const cpu = async () => (await machines.use()).cpuSeconds[0] ?? Number.NaN;
    const [before, began] = [await cpu(), performance.now()];
    const count = await work();
    const passed = (performance.now() - began) / 1_000;
    return { name, perSecond: count / passed, cpuMicros: (((await cpu()) - before) * 1e6) / count };
  };
  try {
    for (const statement of schema.split(";")) await sql.unsafe(statement);
    const firstAt = Date.now() - rows * stepMs;
    await sql`insert into tags select n, 'truck_' || n, (${sql.array(fleets, "TEXT")})[1 + n % 4], 'driver ' || n % 7, 300
      from generate_series(0, ${trucks - 1}::int) n`;
    const figures = [await measure("rows in (readings and diagnostics)", () => fill(sql, trucks, rows, firstAt))];
    await sql.unsafe("analyze");
    for (const [name, text] of Object.entries(queries)) {
      const run = async () => {
        let count = 0;
        for (const until = performance.now() + seconds * 1_000; performance.now() < until; count++)
          await sql.unsafe(text, [fleets[count % fleets.length], new Date(firstAt + rows * stepMs)]);
        return count;
      };
      await run();
      figures.push(await measure(name, run));
    }
    return figures;
  } finally {
    await sql.close();
    await machines.close();
  }
}

async function fill(sql: Bun.SQL, trucks: number, rows: number, firstAt: number): Promise<number> {
  const walk = Array.from({ length: trucks }, (_, truck) => ({
    truck,
    lat: (truck % 90) - 45,
    lon: truck % 180,
    fuel: 1,
  }));
  let readings: object[] = [];
  let diagnostics: object[] = [];
  const flush = async () => {
    await sql`insert into readings select * from json_populate_recordset(null::readings, ${JSON.stringify(readings)}::text::json)`;
    await sql`insert into diagnostics select * from json_populate_recordset(null::diagnostics, ${JSON.stringify(diagnostics)}::text::json)`;
    readings = [];
    diagnostics = [];
  };
  for (let row = 0; row < rows; row++) {
    const time = new Date(firstAt + row * stepMs);
    for (const one of walk) {
      one.lat += (Math.random() - 0.5) / 100;
      one.lon += (Math.random() - 0.5) / 100;
      one.fuel = one.fuel > 0.01 ? one.fuel - 0.001 * Math.random() : 1;
      const tags_id = one.truck;
      const velocity = one.truck % 10 === 0 ? 0 : Math.random() * 100;
      const course = { elevation: 100, heading: Math.random() * 360, grade: 0, fuel_consumption: 25 };
      readings.push({ time, tags_id, latitude: one.lat, longitude: one.lon, velocity, ...course });
      diagnostics.push({ time, tags_id, fuel_state: one.fuel, current_load: 1_000, status: 0 });
      if (readings.length === rowsPerStatement) await flush();
    }
  }
  if (readings.length > 0) await flush();
  return 2 * trucks * rows;
}
