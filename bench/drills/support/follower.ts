import { frameName } from "./load.ts";

interface Change {
  readonly type: string;
  readonly id: string;
  readonly change: "put" | "removed";
  readonly record: Readonly<Record<string, unknown>> | null;
}

interface Page {
  readonly data: readonly Change[];
  readonly next_cursor: string | null;
  readonly resume_after: string;
}

const followed = ["position", "trip", "alert"];
const pauseMs = 200;

/** Follows a fleet on one node, as another system does: whatever fails is asked again. */
export class Follower {
  readonly #copies = new Map(followed.map((type) => [type, new Map<string, Readonly<Record<string, unknown>>>()]));
  #after: string | null = null;
  #isOver = false;
  #following: Promise<void> = Promise.resolve();

  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  /** From now on. */
  async start(): Promise<void> {
    this.#after = (await this.#page("")).resume_after;
    this.#following = this.#follow();
  }

  /** Reads on until nothing is new. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#following;
    while ((await this.#walk()) > 0);
  }

  /** `IMEI recorded_at` of each position that it was told of. */
  get positions(): ReadonlySet<string> {
    const records = this.#copies.get("position")?.values() ?? [];
    return new Set(
      [...records].map(({ imei, recorded_at }) => frameName(String(imei), Date.parse(String(recorded_at)))),
    );
  }

  /** The types of which its copy is not what the list shows now. */
  async differences(since: string): Promise<string[]> {
    const wrong: string[] = [];
    for (const [type, list, id] of [
      ["trip", "trips", "trip_id"],
      ["alert", "alerts", "alert_id"],
    ] as const) {
      const copy = this.#copies.get(type) ?? new Map();
      const rows = await this.#list(`/v1/${list}?from=${since}&limit=500`);
      const isSame = rows.length === copy.size && rows.every((row) => same(copy.get(String(row[id])), row));
      if (!isSame) wrong.push(`${type} (${copy.size} known, ${rows.length} listed)`);
    }
    return wrong;
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      await this.#walk().catch(() => {});
      await Bun.sleep(pauseMs);
    }
  }

  /** All pages there are. The token is taken over with what it belongs to. */
  async #walk(): Promise<number> {
    let count = 0;
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Page = await this.#page(
        cursor === "" ? `after=${this.#after}` : `after=${this.#after}&cursor=${cursor}`,
      );
      for (const change of page.data) this.#take(change);
      count += page.data.length;
      cursor = page.next_cursor;
      if (cursor === null) this.#after = page.resume_after;
    }
    return count;
  }

  #take({ type, id, change, record }: Change): void {
    if (change === "put" && record !== null) this.#copies.get(type)?.set(id, record);
    else this.#copies.get(type)?.delete(id);
  }

  async #page(query: string): Promise<Page> {
    const types = `types=${followed.join()}&limit=500`;
    return (await this.#get(`/v1/changes?${query === "" ? types : `${query}&${types}`}`)) as Page;
  }

  async #list(path: string): Promise<Record<string, unknown>[]> {
    const rows: Record<string, unknown>[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = (await this.#get(cursor === "" ? path : `${path}&cursor=${cursor}`)) as {
        data: Record<string, unknown>[];
        next_cursor: string | null;
      };
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  }

  async #get(path: string): Promise<unknown> {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(`${this.url}${path}`, { headers: { "X-API-Key": this.key }, signal });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
