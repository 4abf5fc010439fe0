import { join } from "node:path";
import { fleets, type Moment, type TruckData } from "./truck-data.ts";
import type { TruckQuestion, TruckStore } from "./truck-store.ts";
import { costOf, timed } from "./turns.ts";

const rowsPerStatement = 10_000;

/** As TSBS's loader makes them, without the tags that are not asked for. */
const schema = [
  "create table tags (id int primary key, name text, fleet text, driver text)",
  `create table readings (time timestamptz, tags_id int, latitude double precision, longitude double precision,
    elevation double precision, velocity double precision, heading double precision, grade double precision,
    fuel_consumption double precision)`,
  `create table diagnostics (time timestamptz, tags_id int, fuel_state double precision, current_load double precision,
    status double precision)`,
  "create index on readings (tags_id, time desc)",
  "create index on readings (time desc)",
  "create index on diagnostics (tags_id, time desc)",
  "create index on diagnostics (time desc)",
];

const ofTruck = (columns: string, table: string) =>
  `lateral (select ${columns} from ${table} x where x.tags_id = t.id order by time desc limit 1)`;

/** Three of TSBS's queries. */
const queries: Readonly<Record<TruckQuestion, string>> = {
  "last location of a fleet": `select t.name, t.driver, r.longitude, r.latitude
    from tags t join ${ofTruck("longitude, latitude", "readings")} r on true where t.fleet = $1 and $2::timestamptz is not null`,
  "low fuel in a fleet": `select t.name, t.driver, d.fuel_state from tags t join ${ofTruck("fuel_state", "diagnostics")} d on true
    where t.fleet = $1 and d.fuel_state < 0.1 and $2::timestamptz is not null`,
  "stationary trucks of a fleet": `select t.name, t.driver from tags t join readings r on r.tags_id = t.id
    where t.fleet = $1 and r.time >= $2::timestamptz - interval '10 minutes' and r.time < $2::timestamptz
    group by 1, 2 having avg(r.velocity) < 1`,
};

/** Plain PostgreSQL. With `programs`, the directory of TSBS's programs, its own loader fills it. */
export function postgresTrucks(url: string, data: TruckData, endAt: number, programs: string | null): TruckStore {
  const sql = new Bun.SQL(url, { max: 1 });
  const running = { pids: [], databaseUrl: url };
  const ask = (question: TruckQuestion) => (seconds: number) =>
    costOf(running, () =>
      timed(async () => {
        let count = 0;
        for (const until = performance.now() + seconds * 1_000; performance.now() < until; count++) {
          await sql.unsafe(queries[question], [fleets[count % fleets.length], new Date(endAt)]);
        }
        return count;
      }),
    );
  return {
    name: "postgres",
    async fill() {
      const { file } = data;
      if (programs === null || file === null) for (const statement of schema) await sql.unsafe(statement);
      const figure = await costOf(running, () =>
        timed(async () => {
          if (programs === null || file === null) await insert(sql, data);
          else await load(programs, file, url);
          return data.moments.length;
        }),
      );
      await sql.unsafe("analyze");
      return figure;
    },
    questions: {
      "last location of a fleet": ask("last location of a fleet"),
      "low fuel in a fleet": ask("low fuel in a fleet"),
      "stationary trucks of a fleet": ask("stationary trucks of a fleet"),
    },
    close: () => sql.close(),
  };
}

async function load(programs: string, file: string, url: string): Promise<void> {
  const { hostname, port, pathname, username, password } = new URL(url);
  const where = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`, `--db-name=${pathname.slice(1)}`];
  const how = [
    "--use-hypertable=false",
    "--do-create-db=false",
    "--workers=1",
    "--batch-size=10000",
    "--reporting-period=0s",
  ];
  const child = Bun.spawn([join(programs, "tsbs_load_timescaledb"), ...where, ...how, `--file=${file}`], {
    env: { ...process.env, PGPASSWORD: password },
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("TSBS's loader failed");
}

async function insert(sql: Bun.SQL, { trucks, moments }: TruckData): Promise<void> {
  const tags = trucks.map(({ name, fleet }, id) => ({ id, name, fleet, driver: `driver ${id % 7}` }));
  await sql`insert into tags select * from json_populate_recordset(null::tags, ${JSON.stringify(tags)}::text::json)`;
  for (let at = 0; at < moments.length; at += rowsPerStatement) {
    const part = moments.slice(at, at + rowsPerStatement);
    await sql`insert into readings select * from json_populate_recordset(null::readings, ${JSON.stringify(part.map(reading))}::text::json)`;
    await sql`insert into diagnostics
      select * from json_populate_recordset(null::diagnostics, ${JSON.stringify(part.map(diagnostic))}::text::json)`;
  }
}

function reading({ truck, at, reading: row }: Moment): object {
  const [latitude, longitude, elevation, velocity, heading, grade, fuel_consumption] = row ?? [];
  const course = { elevation, velocity, heading, grade, fuel_consumption };
  return { time: new Date(at), tags_id: truck, latitude, longitude, ...course };
}

function diagnostic({ truck, at, diagnostic: row }: Moment): object {
  const [fuel_state, current_load, status] = row ?? [];
  return { time: new Date(at), tags_id: truck, fuel_state, current_load, status };
}
