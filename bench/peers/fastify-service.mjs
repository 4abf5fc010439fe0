/**
 * What one would write in an afternoon: Fastify, node-postgres and two tables. It stores frames and reads them; it derives
 * nothing, checks no key, counts no calls and stores a frame that comes twice once more.
 */
import Fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
await pool.query(`
  create table if not exists frames (
    imei text not null, recorded_at timestamptz not null, latitude double precision not null, longitude double precision not null,
    speed_kmh real, heading_deg real, altitude_m real, accuracy_m real);
  create index if not exists frames_by_imei on frames (imei, recorded_at);
  create table if not exists latest (
    imei text primary key, recorded_at timestamptz not null, latitude double precision not null, longitude double precision not null,
    speed_kmh real, heading_deg real, altitude_m real, accuracy_m real)`);

const columns = "imei, recorded_at, latitude, longitude, speed_kmh, heading_deg, altitude_m, accuracy_m";
const store = {
  name: "store",
  text: `
    with stored as (insert into frames (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8))
    insert into latest (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (imei) do update set recorded_at = excluded.recorded_at, latitude = excluded.latitude,
      longitude = excluded.longitude, speed_kmh = excluded.speed_kmh, heading_deg = excluded.heading_deg,
      altitude_m = excluded.altitude_m, accuracy_m = excluded.accuracy_m
    where excluded.recorded_at > latest.recorded_at`,
};
const latest = { name: "latest", text: `select ${columns} from latest order by imei limit $1` };
const history = {
  name: "history",
  text: `select ${columns} from frames where imei = $1 and recorded_at >= $2 and recorded_at < $3 order by recorded_at limit $4`,
};

const app = Fastify();
app.get("/osmand", async ({ query: q }) => {
  const at = new Date(Number(q.timestamp));
  const speedKmh = Number(q.speed) * 1.852;
  await pool.query({ ...store, values: [q.id, at, q.lat, q.lon, speedKmh, q.bearing, q.altitude, q.accuracy] });
  return { stored: 1 };
});
app.get("/latest", async ({ query }) => ({ items: (await pool.query({ ...latest, values: [query.limit] })).rows }));
app.get("/history", async ({ query: q }) => {
  return { items: (await pool.query({ ...history, values: [q.imei, q.from, q.to, q.limit] })).rows };
});
console.log(`listening ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
