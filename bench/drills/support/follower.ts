import { type Change, OdographClient } from "../../../client/src/index.ts";
import { frameName } from "./load.ts";

const followed = ["position", "trip", "alert"] as const;
type Followed = (typeof followed)[number];

/** Follows a fleet on one node with our client, as another system does. */
export class Follower {
  readonly #client: OdographClient;
  readonly #copies = new Map(followed.map((type) => [type, new Map<string, Change<Followed>["record"]>()]));
  readonly #end = new AbortController();
  #after: string | null = null;
  #following: Promise<void> = Promise.resolve();

  constructor(url: string, key: string) {
    this.#client = new OdographClient({ url: `${url}/v1`, key });
  }

  /** From now on. */
  async start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    this.#following = this.#follow(started.resolve);
    await Promise.race([started.promise, this.#following]);
  }

  /** Reads on until nothing is new. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#following;
    for await (const change of this.#client.listChanges({ types: followed, after: this.#after })) this.#take(change);
  }

  /** `IMEI recorded_at` of each position that came. */
  get positions(): ReadonlySet<string> {
    const records = [...(this.#copies.get("position")?.values() ?? [])];
    return new Set(
      records.map((record) =>
        record && "recorded_at" in record ? frameName(record.imei, Date.parse(record.recorded_at)) : "",
      ),
    );
  }

  /** The types of which its copy is not what the list shows now. */
  async differences(since: string): Promise<string[]> {
    const lists = {
      trip: (await Array.fromAsync(this.#client.listTrips({ from: since }))).map((trip) => [trip.trip_id, trip]),
      alert: (await Array.fromAsync(this.#client.listAlerts({ from: since }))).map((alert) => [alert.alert_id, alert]),
    };
    return (["trip", "alert"] as const).flatMap((type) => {
      const copy = this.#copies.get(type);
      const listed = new Map(lists[type] as [string, object][]);
      const isSame =
        listed.size === copy?.size &&
        [...listed].every(([id, record]) => JSON.stringify(copy.get(id)) === JSON.stringify(record));
      return isSame ? [] : [`${type} (${copy?.size} followed, ${listed.size} listed)`];
    });
  }

  async #follow(onStart: () => void): Promise<void> {
    const options = { intervalS: 0.2, signal: this.#end.signal };
    for await (const { changes, resumeAfter } of this.#client.follow({ types: followed }, options)) {
      for (const change of changes) this.#take(change);
      this.#after = resumeAfter;
      onStart();
    }
  }

  #take({ type, id, record }: Change<Followed>): void {
    if (record === null) this.#copies.get(type)?.delete(id);
    else this.#copies.get(type)?.set(id, record);
  }
}
