import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Truck {
  readonly name: string;
  readonly fleet: string;
}

/** What a truck said at a time. TSBS leaves out one of the two now and then. */
export interface Moment {
  readonly truck: number;
  readonly at: number;
  /** Latitude, longitude, elevation, velocity, heading, grade and fuel consumption, as in the table. */
  reading: readonly number[] | null;
  /** State of fuel, load and status, as in the table. */
  diagnostic: readonly number[] | null;
}

export interface TruckData {
  readonly trucks: readonly Truck[];
  readonly moments: readonly Moment[];
  /** Of TSBS's generator, for its loader; null if the data are our own. */
  readonly file: string | null;
  remove(): Promise<void>;
}

export interface TruckSize {
  readonly trucks: number;
  readonly rows: number;
  readonly firstAt: number;
}

export const fleets = ["East", "West", "North", "South"] as const;
export const stepMs = 10_000;

/** Written by ourselves after the description of TSBS, use case "iot". */
export function ownTrucks({ trucks, rows, firstAt }: TruckSize): TruckData {
  const walk = Array.from({ length: trucks }, (_, truck) => ({ lat: (truck % 90) - 45, lon: truck % 180, fuel: 1 }));
  const moments: Moment[] = [];
  for (let row = 0; row < rows; row++) {
    for (const [truck, one] of walk.entries()) {
      one.lat += (Math.random() - 0.5) / 100;
      one.lon += (Math.random() - 0.5) / 100;
      one.fuel = one.fuel > 0.01 ? one.fuel - 0.001 * Math.random() : 1;
      const velocity = truck % 10 === 0 ? 0 : Math.random() * 100;
      const reading = [one.lat, one.lon, 100, velocity, Math.random() * 360, 0, 25];
      moments.push({ truck, at: firstAt + row * stepMs, reading, diagnostic: [one.fuel, 1_000, 0] });
    }
  }
  const names = walk.map((_, truck) => ({ name: `truck_${truck}`, fleet: fleets[truck % fleets.length] ?? "" }));
  return { trucks: names, moments, file: null, remove: async () => {} };
}

/** What TSBS's own generator makes. `programs` is the directory of its programs. */
export async function tsbsTrucks(programs: string, { trucks, rows, firstAt }: TruckSize): Promise<TruckData> {
  const own = await mkdtemp(join(tmpdir(), "odograph-peers-tsbs-"));
  const file = join(own, "trucks");
  const iso = (at: number) => new Date(at).toISOString();
  const words = ["--use-case=iot", "--format=timescaledb", "--seed=1", `--scale=${trucks}`, "--log-interval=10s"];
  const window = [`--timestamp-start=${iso(firstAt)}`, `--timestamp-end=${iso(firstAt + rows * stepMs)}`];
  const command = [join(programs, "tsbs_generate_data"), ...words, ...window, `--file=${file}`];
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "inherit" });
  const remove = () => rm(own, { recursive: true });
  if ((await child.exited) === 0) return { ...read(await Bun.file(file).text()), file, remove };
  await remove();
  throw new Error("TSBS's generator failed");
}

/** Two lines for each row: the truck's tags, then table, time in nanoseconds and values. Trucks without a name are left out. */
function read(text: string): Pick<TruckData, "trucks" | "moments"> {
  const trucks: Truck[] = [];
  const numbers = new Map<string, number>();
  const moments = new Map<string, Moment>();
  const lines = text.slice(text.indexOf("\n\n") + 2).split("\n");
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const tags = new Map((lines[at] ?? "").split(",").map((tag) => tag.split("=", 2) as [string, string]));
    const name = tags.get("name");
    if (!name) continue;
    let truck = numbers.get(name);
    if (truck === undefined) {
      truck = trucks.push({ name, fleet: tags.get("fleet") ?? "" }) - 1;
      numbers.set(name, truck);
    }
    const [table, time = "", ...values] = (lines[at + 1] ?? "").split(",");
    const key = `${truck} ${time}`;
    const moment = moments.get(key) ?? { truck, at: Number(time) / 1e6, reading: null, diagnostic: null };
    // An empty value is unknown.
    const row = values.map((value) => (value === "" ? Number.NaN : Number(value)));
    if (table === "readings") moment.reading = row;
    else moment.diagnostic = row;
    moments.set(key, moment);
  }
  return { trucks, moments: [...moments.values()] };
}
