import { expect } from "bun:test";
import { type Change, Copy, hasNoId } from "./copy.ts";
import { type ChangeType, keyOf, type Row, readLists, type Windows, withoutDevice } from "./lists.ts";
import type { Answer } from "./nodes.ts";
import type { Sight } from "./sight.ts";

export interface FollowerOptions {
  readonly name: string;
  readonly key: string;
  /** The sub-account whose key it is; null: the owner's. */
  readonly userId: string | null;
  /** The types that its key and its query come to. */
  readonly types: readonly ChangeType[];
  /** Whether it names them, rather than taking all that its scopes grant. */
  readonly namesTypes?: boolean;
  /** The one device that it asks for. */
  readonly deviceId?: string;
  /** The largest page that it asks for; it asks for smaller ones as well. */
  readonly maxLimit: number;
}

/** The node that answers; null: none does. */
export interface Answering {
  ask(path: string, init: RequestInit): Promise<Answer | null>;
  askUntilAnswered(path: string, init: RequestInit): Promise<Answer>;
}

/** What all followers share. */
export interface Surroundings {
  readonly nodes: Answering;
  readonly sight: Sight;
  readonly windows: Windows;
  readonly random: () => number;
  /** The ids of all devices that there are. */
  readonly deviceIds: () => readonly string[];
  /** Whether its key may be refused just now, because its user is or was disabled. */
  readonly mayBeRefused: (userId: string) => boolean;
  /** Whether removals were forgotten, so that tokens may have expired. */
  readonly mayExpire: () => boolean;
}

export interface FollowedPage {
  readonly changes: readonly Change[];
  readonly resumeAfter: string;
}

/** `nothing`: a 304. `end`: a page, and no other after it. */
export type Polled = "nothing" | "page" | "end" | "no answer";

class RefusedMeanwhile extends Error {}

/** A system that keeps a copy of the fleet in step, as docs/api.md says: take a token, read the lists, follow. */
export class Follower {
  readonly name: string;
  copy = new Copy();
  /** The keys of each type's records, as `put` showed them. */
  readonly shapes = new Map<string, Set<string>>();
  readonly tokens: string[] = [];
  /** The last changes that it applied, for the message of a failure. */
  readonly trace: string[] = [];
  changes = 0;
  unchanged = 0;
  readonly #options: FollowerOptions;
  readonly #around: Surroundings;
  #after: string | null = null;
  #cursor: string | null = null;
  #tag: string | null = null;

  constructor(options: FollowerOptions, around: Surroundings) {
    this.name = options.name;
    this.#options = options;
    this.#around = around;
  }

  get isStarted(): boolean {
    return this.#after !== null;
  }

  get random(): () => number {
    return this.#around.random;
  }

  get types(): readonly ChangeType[] {
    return this.#options.types;
  }

  /** The safe start: a token of now, then everything until now. */
  async start(): Promise<void> {
    const answer = await this.#around.nodes.askUntilAnswered(this.#path({}), this.#with());
    if (this.#isRefused(answer)) return;
    expect([this.name, answer.status, answer.body.data, answer.body.next_cursor]).toEqual([this.name, 200, [], null]);
    this.copy = new Copy();
    this.trace.push("starts");
    this.tokens.push(answer.body.resume_after);
    await this.#unlessRefused(async () => {
      this.copy.putAll(await this.lists());
      this.#after = answer.body.resume_after;
      this.#cursor = null;
      this.#tag = null;
    });
  }

  /** One request, and what it brought. */
  async poll(): Promise<Polled> {
    const { random, nodes } = this.#around;
    const limit = 1 + Math.floor(random() * this.#options.maxLimit);
    // The cursor alone, or the token that came with it: both must lead on.
    if (this.#cursor !== null && random() < 0.3) this.#cursor = null;
    const position = this.#cursor === null ? { after: this.#after ?? "" } : { cursor: this.#cursor };
    const path = this.#path({ ...position, limit: String(limit) });
    const condition = this.#cursor === null && this.#tag !== null ? { "If-None-Match": this.#tag } : {};
    const askedAt = performance.now();
    const answer = await nodes.ask(path, this.#with(condition));
    if (answer === null || answer.status >= 500 || this.#isRefused(answer)) return "no answer";
    // Its one device was erased, and is not loaded again yet.
    if (answer.status === 404 && this.#options.deviceId !== undefined) return "no answer";
    if (this.#isExpired(answer)) {
      await this.start();
      return "page";
    }
    if (answer.status === 304) {
      expect([this.name, answer.body, condition !== null]).toEqual([this.name, "", true]);
      this.unchanged++;
      return "nothing";
    }
    expect([this.name, path, answer.status, answer.body.error]).toEqual([this.name, path, 200, undefined]);
    this.#check(answer, limit, askedAt);
    const isApplied = await this.#unlessRefused(async () => {
      for (const change of answer.body.data as readonly Change[]) await this.#apply(change);
    });
    if (!isApplied) return "no answer";
    this.#after = answer.body.resume_after;
    this.tokens.push(answer.body.resume_after);
    this.#cursor = answer.body.next_cursor;
    this.#tag = answer.headers.get("ETag");
    return this.#cursor === null ? "end" : "page";
  }

  /** All that is known by now. */
  async catchUp(): Promise<void> {
    for (let ends = 0, pages = 0; ; pages++) {
      if (!this.isStarted) await this.start();
      const polled = await this.poll();
      if (polled === "nothing") return;
      // A page that was the last, then an empty one with a tag of its own, then nothing new.
      ends = polled === "end" ? ends + 1 : polled === "page" ? 0 : ends;
      expect(ends, `${this.name}: last pages in a row without a 304`).toBeLessThan(50);
      expect(pages, `${this.name}: pages until a 304`).toBeLessThan(100_000);
      if (polled === "no answer") await Bun.sleep(20);
    }
  }

  /** What the lists show this viewer now. */
  lists(only: { readonly deviceId?: string; readonly types?: readonly ChangeType[] } = {}) {
    const { types, deviceId = null } = this.#options;
    return readLists((path) => this.#readList(path), {
      types: only.types ?? types,
      deviceId: only.deviceId ?? deviceId,
      deviceIds: this.#around.deviceIds(),
      windows: this.#around.windows,
    });
  }

  /** All changes since a token, in pages of up to so many, with the token that came with each page. Null: it has expired. */
  async changesSince(after: string, limit: number): Promise<FollowedPage[] | null> {
    const pages: FollowedPage[] = [];
    for (let position: Record<string, string> = { after }; ; ) {
      const path = this.#path({ ...position, limit: String(limit) });
      const answer = await this.#around.nodes.askUntilAnswered(path, this.#with());
      if (this.#isExpired(answer)) return null;
      const { status, body } = answer;
      expect([path, status]).toEqual([path, 200]);
      pages.push({ changes: body.data, resumeAfter: body.resume_after });
      if (body.next_cursor === null) return pages;
      position = { cursor: body.next_cursor };
    }
  }

  /** A follower without devices is not notified of an erasure, and must learn it otherwise. */
  async readErasedAgain(deviceIds: Iterable<string>): Promise<void> {
    for (const id of deviceIds) {
      this.copy.forget(id);
      this.copy.putAll(await this.#listsOf(id));
    }
  }

  /** If the lists are refused because its user was disabled meanwhile, it begins again from the start some time later. */
  async #unlessRefused(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof RefusedMeanwhile)) throw error;
      this.#after = null;
      return false;
    }
  }

  #isRefused({ status }: Answer): boolean {
    const { userId } = this.#options;
    // A caller with a refused key must soon wait.
    return (status === 401 || status === 429) && userId !== null && this.#around.mayBeRefused(userId);
  }

  #isExpired({ status, body }: Answer): boolean {
    if (status !== 410) return false;
    expect([this.name, body.error.code, this.#around.mayExpire()]).toEqual([this.name, "CURSOR_EXPIRED", true]);
    return true;
  }

  #check({ body, headers }: Answer, limit: number, askedAt: number): void {
    const answeredAt = performance.now();
    expect([this.name, Object.keys(body)]).toEqual([this.name, ["data", "next_cursor", "resume_after"]]);
    expect(typeof body.resume_after).toBe("string");
    expect(headers.get("ETag")).toMatch(/^"[^"]+"$/);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    const changes = body.data as readonly Change[];
    const wrong = changes.flatMap((change) => {
      const problems = [...this.#problemsOf(change), ...this.#sightProblems(change, askedAt, answeredAt)];
      return problems.length === 0 ? [] : [{ problems, change }];
    });
    expect([this.name, wrong]).toEqual([this.name, []]);
  }

  #problemsOf(reported: Change): string[] {
    const problems: string[] = [];
    const hold = (isSo: boolean, problem: string) => {
      if (!isSo) problems.push(problem);
    };
    const { type, change, id, device_id, changed_at, record } = reported;
    hold(Object.keys(reported).join() === "type,change,id,device_id,changed_at,record", "has other fields");
    hold(this.types.includes(type), "was not asked for");
    hold(change === "put" || change === "removed", "is neither put nor removed");
    hold(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(changed_at), "has no time");
    hold((record === null) === (change === "removed"), "has a record only if it is put");
    hold((device_id === null) === withoutDevice.includes(type), "has a device if its type has one");
    const { deviceId } = this.#options;
    hold(deviceId === undefined || device_id === deviceId, "is of another device");
    if (record === null) return problems;
    hold(hasNoId(type) || id === keyOf(type, record), "has another id than its record");
    hold(device_id === null || record.device_id === device_id, "has another device than its record");
    const kind = type === "reading" ? `reading of ${record.kind}` : type;
    this.shapes.set(kind, (this.shapes.get(kind) ?? new Set()).add(Object.keys(record).join()));
    return problems;
  }

  /** Nothing is ever shown that this viewer may not see. What has left its sight may be called removed. */
  #sightProblems({ type, id, change, device_id }: Change, askedAt: number, answeredAt: number): string[] {
    const { userId } = this.#options;
    if (userId === null) return [];
    if (type === "user" && id !== userId) return ["is another user"];
    if (device_id === null) return [];
    const { sight } = this.#around;
    const isAllowed =
      change === "put" ? sight.allows(userId, device_id, askedAt, answeredAt) : sight.ever(userId, device_id);
    return isAllowed ? [] : ["is out of sight"];
  }

  async #apply({ type, change, id, device_id, record }: Change): Promise<void> {
    this.changes++;
    this.trace.push(`${type} ${change} ${id} ${record?.updated_at ?? ""}`);
    if (record !== null) {
      const isNewDevice = type === "device" && !this.copy.has("device", id);
      this.copy.put(type, record, hasNoId(type) ? id : null);
      // Its past is not reported: it is read.
      if (isNewDevice) this.copy.putAll(await this.#listsOf(id));
    } else if (type === "device") this.copy.forget(id);
    else if (!this.copy.remove(type, id) && device_id !== null) await this.#readAgain(type, device_id);
  }

  /** A row that was read from a list has no id there, so that it cannot be found by it. */
  async #readAgain(type: ChangeType, deviceId: string): Promise<void> {
    this.copy.forget(deviceId, type);
    this.copy.putAll(await this.lists({ deviceId, types: [type] }));
  }

  #listsOf(deviceId: string) {
    const isRead = (type: ChangeType) => type === "driver" || !withoutDevice.includes(type);
    return this.lists({ deviceId, types: this.types.filter(isRead) });
  }

  async #readList(path: string): Promise<Row[] | null> {
    const rows: Row[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: string = cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
      const isList = !path.startsWith("/devices/") && !path.startsWith("/reports/");
      const answer = await this.#around.nodes.askUntilAnswered(`/v1${page}${isList ? "&limit=500" : ""}`, this.#with());
      if (answer.status === 404) return null;
      if (this.#isRefused(answer)) throw new RefusedMeanwhile();
      const { status, body } = answer;
      expect([this.name, page, status, body.error]).toEqual([this.name, page, 200, undefined]);
      rows.push(...(Array.isArray(body.data) ? body.data : [body.data]));
      cursor = body.next_cursor ?? null;
      if (cursor === null) return rows;
    }
  }

  #path(position: Readonly<Record<string, string>>): string {
    const { types, namesTypes = false, deviceId } = this.#options;
    const query = new URLSearchParams(position);
    // A cursor carries the rest.
    if (position.cursor === undefined && namesTypes) query.set("types", types.join());
    if (position.cursor === undefined && deviceId !== undefined) query.set("device_id", deviceId);
    return `/v1/changes?${query}`;
  }

  #with(headers: Record<string, string> = {}): RequestInit {
    return { headers: { ...headers, "X-API-Key": this.#options.key } };
  }
}
