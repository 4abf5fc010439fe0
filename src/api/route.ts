import type { z } from "zod";
import type { MeterReading } from "../access/meter.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { ReadyBody } from "../http/ready-body.ts";
import type { ViewerCounters } from "../store/changes/viewer-counters.ts";
import type { Database, Reader } from "../store/database.ts";
import type { ApiCache } from "./cache/api-cache.ts";
import type { ResumeTokens } from "./changes/resume-tokens.ts";
import type { DocumentWriter, FormatName, ListFormats, ShownFields } from "./formats/format.ts";
import type { Cursors } from "./input/cursor.ts";
import type { Input, Parameter } from "./input/parameter.ts";
import type { Seals } from "./input/sealed.ts";
import type { LentBody } from "./records/body.ts";

/** Everything is under the version's prefix; a new version gets a new prefix and this one stays. */
export const prefix = "/v1";

export interface RouteCall {
  readonly database: Database;
  /** Reads a page of a list, perhaps from a replica that has all that was stored. `work` may be called twice. */
  readonly read: <Page>(work: (reader: Reader) => Promise<Page>) => Promise<Page>;
  readonly visibility: Visibility;
  /** The caller: the id of the key, or of the signed-in user. */
  readonly caller: string;
  /** Rejects if the caller may no longer read. A streamed answer asks for each part. */
  readonly checkAccess: () => Promise<void>;
  readonly scopes: readonly Scope[];
  readonly input: Input;
  /** As it was sent. */
  readonly query: string;
  /** Null: a person who is signed in. */
  readonly keyId: string | null;
  /** What is left of the caller's limits; null where nothing is counted. */
  readonly reading: MeterReading | null;
  readonly now: number;
  readonly cursors: Cursors;
  /** Whether cursors are short ones, beside which the other parameters must be repeated. */
  readonly hasShortCursors: boolean;
  readonly seals: Seals;
  readonly resumeTokens: ResumeTokens;
  readonly cache: ApiCache;
  /** The viewer's, asked once for a call: before its rows are read. */
  readonly counters: () => Promise<ViewerCounters>;
  /** What the answer is written in. A route without `formats` answers in JSON. */
  readonly format: FormatName;
  /** What a list shows of its records. */
  readonly shown: ShownFields;
  /** Adds the names that are shown beside ids. Records are JSON, with commas between them. */
  readonly withNames: (records: string) => Promise<string>;
  /** Begins the answer of a list in that format, with what is shown. */
  readonly open: () => DocumentWriter;
}

/** A body in the call's format: made for this call, cached, or streamed if long. */
export interface Answer {
  readonly body: string | LentBody | ReadyBody | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly next?: string | null;
  /** What a list is written in. Absent: the answer is JSON, whatever is accepted. */
  readonly format?: FormatName;
  /** Whether the same request is still answered so, by the viewer's counters now. Absent: it must be made again. */
  readonly isCurrent?: (counters: ViewerCounters) => boolean;
}

/** A route is data: validation, description, reference page and tests are made from it. */
export interface Route {
  /** Relative to /v1, with `{name}` for path parameters. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The scope that the key must have. `any`: what the key may read decides what is in the answer. */
  readonly scope: Scope | "any";
  readonly parameters: readonly Parameter<unknown>[];
  readonly response: z.ZodType;
  /** Of a list: what it can be written in. Its `parameter` is among the parameters. */
  readonly formats?: ListFormats;
  /** A request, relative to /v1, and the body it is answered with. */
  readonly example: { readonly request: string; readonly response: unknown };
  /** Whether answers may say how long they are current. */
  readonly isCached?: boolean;
  /** Whether answers have an ETag and may be 304. A 304 is not charged to the day. */
  readonly conditional?: boolean;
  /** Whether answers are about the caller: another key of the same viewer has others. */
  readonly isOfCaller?: boolean;
  /** Whether an answer says where to follow from, which can expire. */
  readonly followed?: boolean;
  /** Whether answers name their window in headers. */
  readonly windowed?: boolean;
  /** How long an answer may wait for the store, where that is longer than others may. */
  readonly deadlineMs?: number;
  /** Whether `device_id` or `imei` is required; otherwise both are filters. */
  readonly needsDevice?: boolean;
  /** Problems with the combination of parameters, each with its name in front: `from: expected …`. */
  readonly problems?: (call: RouteCall) => readonly string[];
  readonly answer: (call: RouteCall) => Promise<Answer>;
}

export type RouteText = Pick<Route, "path" | "operationId" | "tag" | "summary" | "description" | "scope" | "example">;
