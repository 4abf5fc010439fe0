import { expect, test } from "bun:test";
import { type ApiUnderTest, everyRecord, keyOf, startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { hourMs, load, smallFleet } from "../support/fleet.ts";
import { batched } from "../support/ingest-arrival.ts";
import { freshFleet, newYear, randomFleet } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers, shuffled } from "../support/random-drive.ts";

const seed = announcedSeed("replaced windows");
const hours = 24;
const windowMs = 2 * hourMs;

const lists = [
  { path: "trips", id: "trip_id", at: "started_at" },
  { path: "stops", id: "stop_id", at: "started_at" },
  { path: "alerts", id: "alert_id", at: "occurred_at" },
  { path: "geofence-events", id: "event_id", at: "occurred_at" },
] as const;

type Listed = (typeof lists)[number];

/** A client's rows of a list, kept as docs/following.md advises those who cannot follow. */
class Copy {
  readonly #api: ApiUnderTest;
  readonly #key: string;
  readonly #list: Listed;
  #rows: Record<string, string>[] = [];

  constructor(api: ApiUnderTest, key: string, list: Listed) {
    this.#api = api;
    this.#key = key;
    this.#list = list;
  }

  async read(fromMs: number, toMs: number): Promise<Record<string, string>[]> {
    const [from, to] = [fromMs, toMs].map((at) => new Date(at).toISOString());
    const found = await everyRecord(this.#api, this.#key, `/${this.#list.path}?from=${from}&to=${to}&limit=500`);
    return found ?? [];
  }

  async replace(fromMs: number, toMs: number): Promise<void> {
    const isOfWindow = (row: Record<string, string>) => {
      const at = Date.parse(row[this.#list.at] ?? "");
      return at >= fromMs && at < toMs;
    };
    const found = await this.read(fromMs, toMs);
    this.#rows = [...this.#rows.filter((row) => !isOfWindow(row)), ...found.filter(isOfWindow)];
  }

  get ids(): string[] {
    return this.#rows.map((row) => row[this.#list.id] ?? "").sort();
  }
}

onEachEngine("a copy that replaces windows of the lists", (engine) => {
  test("has each record once, also when late frames have moved where they begin", async () => {
    const { database } = await freshFleet(engine);
    await load(database, [{ ...smallFleet.acme, limits: { per_second: 1_000, per_day: 10_000 } }]);
    const random = randomNumbers(seed);
    const until = newYear + hours * hourMs;
    const frames = randomFleet(seed, 900).filter(({ recordedAt }) => (recordedAt ?? until) < until);
    const late = new Set(frames.filter(() => random() < 0.3));
    await take(
      database,
      batched(
        frames.filter((frame) => !late.has(frame)),
        random,
        300,
      ),
    );
    const api = await startApi(database);
    const key = await keyOf(database, smallFleet.olga.email);
    const copies = lists.map((list) => new Copy(api, key, list));
    const replaceAll = async () => {
      for (let from = newYear - windowMs; from < until; from += windowMs)
        for (const copy of copies) await copy.replace(from, from + windowMs);
    };
    await replaceAll();
    const before = copies.map(({ ids }) => ids);
    await take(database, batched(shuffled([...late], random), random, 300));
    await replaceAll();
    for (const [index, copy] of copies.entries()) {
      const listed = lists[index] as Listed;
      const whole = await copy.read(newYear - windowMs, until);
      expect(copy.ids).toEqual(whole.map((row) => row[listed.id] ?? "").sort());
      const gone = new Set(before[index]).difference(new Set(copy.ids));
      if (listed.path === "trips") expect(gone.size).toBeGreaterThan(0);
    }
    await api.close();
  });
});
