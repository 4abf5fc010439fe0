import { expect } from "bun:test";
import { z } from "zod";
import { createKey, revokeKey } from "../../src/access/keys.ts";
import { knownApiRequests } from "../../src/api/known-requests.ts";
import { wholeListOf } from "../../src/api/records/body.ts";
import { mileagePeriod } from "../../src/api/records/mileage-period.ts";
import { findRoute } from "../../src/api/routes.ts";
import { type Api, createApi } from "../../src/api/server.ts";
import { allScopes, type Scope } from "../../src/domain/scopes.ts";
import type { Observation, Observe } from "../../src/observe/observation.ts";
import type { Database } from "../../src/store/database.ts";
import type { Replica } from "../../src/store/replica/replica.ts";
import { describedAnswer } from "./described.ts";
import { keepObservations } from "./known-requests.ts";

const oldSums = wholeListOf(mileagePeriod.schema, mileagePeriod.name);

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape the schema has already checked
  readonly body: any;
  readonly text: string;
}

export interface ApiUnderTest {
  readonly api: Api;
  readonly observations: Observation[];
  /** Calls a path relative to /v1 and holds the answer against the route's own description. */
  get(path: string, key?: string | null, headers?: Record<string, string>): Promise<ApiResponse>;
  request(path: string, init: RequestInit, address?: string): Promise<ApiResponse>;
  close(): Promise<void>;
}

const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum([
      "INVALID_REQUEST",
      "INVALID_API_KEY",
      "INSUFFICIENT_SCOPE",
      "NOT_FOUND",
      "CURSOR_EXPIRED",
      "METHOD_NOT_ALLOWED",
      "BODY_TOO_LARGE",
      "RATE_LIMITED",
      "INTERNAL",
    ]),
    message: z.string().min(1),
    required_scopes: z.array(z.string()).optional(),
    granted_scopes: z.array(z.string()).optional(),
  }),
  request_id: z.string(),
});

const meterHeaders = ["Limit", "Remaining", "Reset", "Limit-Second", "Remaining-Second"].map((n) => `X-RateLimit-${n}`);

/** Where a node reads pages of lists, too. */
export type OpenReplica = (database: Database, observe: Observe) => Promise<Replica>;

/** The public side in this process, without a socket between. */
export async function startApi(database: Database, openReplica?: OpenReplica): Promise<ApiUnderTest> {
  const observations: Observation[] = [];
  const observe = keepObservations(knownApiRequests, observations);
  const replica = await openReplica?.(database, observe);
  const api = await createApi({ database, replica: replica ?? null, counters: database, observe });
  const request: ApiUnderTest["request"] = async (path, init, address = "127.0.0.1") => {
    const response = await api.answer(new Request(`http://odograph.test/v1${path}`, init), () => address);
    const text = await response.text();
    const body = text && isJson(response.headers.get("Content-Type")) ? JSON.parse(text) : text || null;
    const answer = { status: response.status, headers: response.headers, body, text };
    holdAgainstDescription(path, answer);
    return answer;
  };
  return {
    api,
    observations,
    request,
    get: (path, key = null, headers = {}) =>
      request(path, { headers: key === null ? headers : { ...headers, "X-API-Key": key } }),
    async close() {
      await api.close();
      await replica?.close();
    },
  };
}

/** Sums in the place of days, as before 2.0: no description has their rows. */
function hasOldSums(path: string, status: number): boolean {
  return status === 200 && /^\/reports\/mileage\?(?:.*&)?(?:period|group_by)=/.test(path);
}

/** All records of a list, page by page, or the one that is there instead. Null: 404. The path has a query already. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records whose shape the schema has already checked
export async function everyRecord(api: ApiUnderTest, key: string, path: string): Promise<any[] | null> {
  const records = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await api.get(path + cursor, key);
    if (status === 404) return null;
    expect([path, status]).toEqual([path, 200]);
    records.push(...[body.data].flat());
    if (!body.next_cursor) return records;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

function isJson(contentType: string | null): boolean {
  return /^application\/(?:geo\+)?json\b/.test(contentType ?? "");
}

/** Whatever a test is about, its answers have to be those of the description. */
function holdAgainstDescription(path: string, { status, headers, body }: ApiResponse): void {
  for (const name of [...meterHeaders, "X-Request-Id"]) expect(headers.get(name), `${path} ${name}`).not.toBeNull();
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  if (status !== 200 && status !== 304 && status !== 503) {
    errorBody.parse(body);
    expect(headers.get("X-Request-Id")).toBe(body.request_id);
  }
  const found = findRoute("GET", `/v1${path.split("?")[0]}`);
  // Neither what is not there nor what another method would do is described.
  if (found.outcome !== "found" || status === 405) return;
  const { route } = found;
  const hasOld = hasOldSums(path, status);
  const mediaType = headers.get("Content-Type")?.split(";")[0] ?? "application/json";
  // Records without some of the fields that the route's own schema requires.
  const hasOwnFields = /[?&]fields=/.test(path);
  const hasNames = /[?&]include_names=true/.test(path);
  if (status === 200 && mediaType === "application/json" && !hasOwnFields && !hasNames) {
    (hasOld ? oldSums : route.response).parse(body);
  }
  const mayBeKept = route.conditional && (status === 200 || status === 304);
  expect(headers.get("Cache-Control"), path).toBe(mayBeKept ? "private, no-cache" : "no-store");
  const withParameters = /^[a-z/+-]+; charset=utf-8(?:; header=present)?$/;
  if (status !== 304)
    expect(headers.get("Content-Type"), path).toMatch(isJson(mediaType) ? /^[a-z/+]+$/ : withParameters);
  const described = describedAnswer(route.path, status, hasOwnFields);
  if (!described) throw new Error(`${path}: the description has no ${status}`);
  for (const [name, { required }] of described.headers) {
    if (required) expect(headers.get(name), `${path} ${name}`).not.toBeNull();
  }
  for (const name of ownHeaders) {
    if (headers.has(name)) expect([...described.headers.keys()], `${path} ${status}`).toContain(name);
  }
  if (described.body === null) {
    expect(body).toBeNull();
    return;
  }
  if (hasOld) {
    expect(headers.get("Link")).toMatch(/^<mileage\/sums\?.*>; rel="successor-version"$/);
    return;
  }
  const isRight = described.bodies.get(mediaType);
  if (!isRight) throw new Error(`${path}: the description has no ${mediaType}`);
  if (!isRight(body ?? "")) throw new Error(`${path}: ${JSON.stringify(isRight.errors)}`);
}

/** Those that not every answer has. */
const ownHeaders = [
  "ETag",
  "Link",
  "X-Resume-After",
  "X-Ignored-Parameters",
  "X-Window-From",
  "X-Window-To",
  "X-Window-Clamped",
  "Retry-After",
  "WWW-Authenticate",
];

export interface KeyOptions {
  readonly scopes?: readonly Scope[];
  readonly perSecond?: number;
  readonly perDay?: number;
  readonly expiresAt?: number;
  readonly createdAt?: number;
  readonly isRevoked?: boolean;
}

/** A key of the user with that e-mail, with all scopes unless some are named. */
export async function keyOf(database: Database, email: string, options: KeyOptions = {}): Promise<string> {
  const { key, secret } = await createKey(
    database,
    {
      email,
      name: "test",
      scopes: options.scopes ?? allScopes,
      perSecond: options.perSecond ?? null,
      perDay: options.perDay ?? null,
      expiresAt: options.expiresAt ?? null,
    },
    options.createdAt ?? Date.now(),
    // Tests that share a fleet make many keys.
    Number.MAX_SAFE_INTEGER,
  );
  if (options.isRevoked) await revokeKey(database, key.id, Date.now());
  return secret;
}
