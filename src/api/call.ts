import { type AddressMeter, clientAddress, networkOf } from "../access/address-meter.ts";
import type { Authenticator } from "../access/authenticate.ts";
import type { Limiter } from "../access/limiter.ts";
import type { MeterReading, Spent } from "../access/meter.ts";
import type { Principal } from "../access/principal.ts";
import type { UsageRecorder } from "../access/usage.ts";
import type { Audience, Failure } from "../domain/errors.ts";
import type { ByteBudget } from "../http/byte-budget.ts";
import { observeFailure } from "../http/failures.ts";
import { pathAndQuery } from "../http/url.ts";
import type { Observe } from "../observe/observation.ts";
import { isEmbedded } from "../store/database.ts";
import type { UntilCommit } from "../store/until-commit.ts";
import { type ResponseContext, respondFailure } from "./respond.ts";
import type { RouteDeps } from "./route-deps.ts";

export interface ApiDeps extends RouteDeps {
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  readonly addressMeter: AddressMeter;
  readonly usage: UsageRecorder;
  /** Messages of assistants that are being read (src/api/mcp). */
  readonly messages: ByteBudget;
  /** Tags of answers that are polled (src/api/poll-fast-path.ts). */
  readonly pollTags: UntilCommit<string>;
  readonly now: () => number;
  readonly isDraining: () => boolean;
  readonly observe: Observe;
}

export interface ApiCall {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  /** The address of the connection, perhaps of a proxy. */
  readonly peer: () => string;
  readonly now: number;
  /** For the log and the metrics: a pattern, of which there are few. */
  routeName: string;
  /** The meter reading of the key or the client's address; null until it was metered. */
  reading: MeterReading | null;
  principal: Principal | null;
  /** What it uses of the limits, if that was asked already (src/api/poll-fast-path.ts). */
  spending: Promise<Spent> | null;
  /** Whether the call has used one of the day's requests. A poll that may end in a 304 is charged at the end. */
  day: "untouched" | "later" | "charged";
}

export function beginCall({ now }: ApiDeps, request: Request, peer: () => string): ApiCall {
  const { path, query } = pathAndQuery(request.url);
  return {
    requestId: crypto.randomUUID(),
    method: request.method,
    path,
    query,
    headers: request.headers,
    peer,
    now: now(),
    routeName: "other",
    reading: null,
    principal: null,
    spending: null,
    day: "untouched",
  };
}

/** The address by which calls without a valid key are counted. Other calls do not need it. */
export function clientAddressOf({ headers, peer }: ApiCall): string {
  return clientAddress(headers, peer());
}

export function responseContext({ addressMeter, database }: ApiDeps, call: ApiCall): ResponseContext {
  const { requestId, headers, method } = call;
  // Of a HEAD, only the body's length counts.
  const isLate = !isEmbedded(database) && method !== "HEAD";
  return { requestId, headers, isLate, reading: call.reading ?? addressMeter.read(clientAddressOf(call), call.now) };
}

export function refuseCall(deps: ApiDeps, call: ApiCall, failure: Failure, audience: Audience = "api"): Response {
  logFailure(deps, call, failure);
  return respondFailure(failure, responseContext(deps, call), audience);
}

export function logFailure({ observe }: ApiDeps, call: ApiCall, failure: Failure): void {
  const { requestId, principal, routeName: route } = call;
  const caller = principal ? { keyId: principal.keyId } : { network: networkOf(clientAddressOf(call)) };
  observeFailure(observe, { requestId, route, caller }, failure);
}
