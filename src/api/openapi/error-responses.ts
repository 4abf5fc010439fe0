import { z } from "zod";
import type { MeterReading } from "../../access/meter.ts";
import { type ErrorCode, type errorTable, Failure } from "../../domain/errors.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { allScopes } from "../../domain/scopes.ts";
import { failureAnswer } from "../../http/failures.ts";
import { noSuchDevice } from "../input/device-input.ts";
import { readInput, refuseProblems } from "../input/read-input.ts";
import { scopeText } from "../records/scope.ts";
import { expiredResume, insufficientScope, invalidKey, rateLimited } from "../refusals.ts";
import type { Route } from "../route.ts";
import { type HeaderName, headers, headersWith } from "./headers.ts";
import { componentRef } from "./schemas.ts";
import type { ResponseObject } from "./types.ts";

/** The errors that a client of the API may see. INTERNAL covers all others. */
type PublicCode =
  | { [Code in ErrorCode]: "api" extends (typeof errorTable)[Code]["seenBy"][number] ? Code : never }[ErrorCode]
  | "INTERNAL";

/** When each error is answered. A public error without a description here does not compile. */
export const errorConditions: Readonly<Record<PublicCode, string>> = {
  INVALID_REQUEST:
    "A parameter is malformed, repeated or contradicts another. The message names every one that is wrong.",
  INVALID_API_KEY:
    "The key is missing, wrong, expired or revoked, or its creator has no access. The answer is the same whatever the cause.",
  INSUFFICIENT_SCOPE: "The key lacks the endpoint's scope. The body names what is required and what the key holds.",
  NOT_FOUND: "There is no such record, or the key cannot see it: the answer is the same.",
  CURSOR_EXPIRED:
    "A removal since `after` is no longer remembered: `after` has expired. Take a new `resume_after`, read the lists again " +
    "and follow from there.",
  METHOD_NOT_ALLOWED: "This interface only reads: `GET` and `HEAD` are all there is.",
  BODY_TOO_LARGE: "The request has a body of more than 1 MiB. This interface reads none.",
  RATE_LIMITED:
    "A limit per second or per day is exceeded, or too many long answers are being read at once. Wait for the seconds that `Retry-After` gives.",
  INTERNAL: "The server failed. Try again with backoff. It is not charged to the day.",
};

export const publicCodes = Object.keys(errorConditions) as readonly PublicCode[];

const codeSchema = z
  .enum(publicCodes)
  .meta({ id: "ErrorCode", description: "Stable: branch on it, never on the message." });

const scopeList = z.array(scopeText);

const detailSchema = z
  .object({
    code: codeSchema,
    message: z.string().describe("For people. Its wording may change."),
    required_scopes: scopeList.optional().describe("With `INSUFFICIENT_SCOPE`: what the endpoint needs."),
    granted_scopes: scopeList.optional().describe("With `INSUFFICIENT_SCOPE`: what the key holds."),
  })
  .meta({ id: "ErrorDetail", description: "What went wrong." });

/** Not `Error`: in a generated client that would hide the language's own. */
const errorName = "ErrorAnswer";

export const errorSchema = z
  .object({
    error: detailSchema,
    request_id: z.string().describe("Identifies the call, for support; the same as `X-Request-Id`."),
  })
  .meta({ id: errorName, description: "Every failure has this body." });

const exampleReading: MeterReading = {
  day: 0,
  limitPerDay: headers["X-RateLimit-Limit"].example,
  remainingDay: headers["X-RateLimit-Remaining"].example,
  resetSeconds: headers["X-RateLimit-Reset"].example,
  limitPerSecond: headers["X-RateLimit-Limit-Second"].example,
  remainingSecond: 0,
};

function errorResponse(failure: Failure, code: PublicCode, ...extra: readonly HeaderName[]): ResponseObject {
  const example = failureAnswer(failure, "api", headers["X-Request-Id"].example).body;
  return {
    description: errorConditions[code],
    headers: headersWith(...extra),
    content: { "application/json": { schema: componentRef(errorName), example } },
  };
}

export const sharedErrorResponses: Readonly<Record<string, ResponseObject>> = {
  InvalidApiKey: errorResponse(invalidKey(), "INVALID_API_KEY", "WWW-Authenticate"),
  RateLimited: errorResponse(rateLimited("second", exampleReading), "RATE_LIMITED", "Retry-After"),
  Internal: errorResponse(new Failure("STORE_UNREACHABLE", ""), "INTERNAL"),
};

export function scopeResponse({ scope }: Pick<Route, "scope">): ResponseObject {
  const missing = scope === "any" ? "trips:read" : scope;
  const granted = allScopes.filter((other) => other !== missing).slice(0, 2);
  return errorResponse(insufficientScope([missing], { scopes: granted }), "INSUFFICIENT_SCOPE");
}

export function expiredResponse(): ResponseObject {
  return errorResponse(expiredResume(), "CURSOR_EXPIRED");
}

/** A wrong value for parameters of which most routes have one. */
const wrongValues: readonly (readonly [name: string, value: string])[] = [
  ["status", "asleep"],
  ["severity", "high"],
  ["from", "yesterday"],
  ["limit", "0"],
  ["format", "xml"],
];

/** What a path parameter or a filter may name that does not exist. The kind of sensor comes first in its path. */
const notFoundMessages: readonly (readonly [name: string, message: string])[] = [
  ["kind", `there is no such kind of sensor; there are ${sensorKinds.join(", ")}`],
  ["user_id", "there is no such user"],
  ["device_id", noSuchDevice().message],
  ["imei", noSuchDevice().message],
];

/** The 400 of a route; null if no request can be wrong. */
export function invalidRequestResponse(route: Route): ResponseObject | null {
  if (!route.parameters.some((parameter) => parameter.in === "query")) return null;
  return errorResponse(wrongRequest(route), "INVALID_REQUEST");
}

/** The route's message for a wrong request, from the code that reads requests. */
function wrongRequest(route: Route): Failure {
  const wrong = wrongValues.filter(([name]) => hasParameter(route, name)).map(([name, value]) => `${name}=${value}`);
  try {
    refuseProblems(readInput(route.parameters, [], wrong.join("&")).problems);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`${route.path}: no wrong request is known for its example`);
}

/** The 404 of a route; null if it has none: a list that is not narrowed may be empty, but it exists. */
export function notFoundResponse(route: Route): ResponseObject | null {
  const message = notFoundMessages.find(([name]) => hasParameter(route, name))?.[1];
  if (message === undefined) return null;
  return errorResponse(new Failure("NOT_FOUND", message), "NOT_FOUND");
}

function hasParameter(route: Route, name: string): boolean {
  return route.parameters.some((parameter) => parameter.name === name);
}
