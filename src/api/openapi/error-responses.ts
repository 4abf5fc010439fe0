import { z } from "zod";
import type { MeterReading } from "../../access/meter.ts";
import { type ErrorCode, type errorTable, Failure } from "../../domain/errors.ts";
import { allScopes } from "../../domain/scopes.ts";
import { failureAnswer } from "../../http/failures.ts";
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
    "The key is missing, wrong, expired or revoked, or its creator is shut out. The answer is the same whatever the cause.",
  INSUFFICIENT_SCOPE: "The key lacks the endpoint's scope. The body names what is required and what the key holds.",
  NOT_FOUND: "There is no such record, or the key cannot see it: the answer is the same.",
  CURSOR_EXPIRED:
    "A removal since `after` is no longer remembered, so it cannot be told: take a new `resume_after`, read the lists again " +
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

const scopeList = z.array(z.enum(allScopes).meta({ id: "Scope", description: "What a key may read." }));

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

/** A response with the service's body for this failure. */
export function errorResponse(failure: Failure, description: string, ...extra: readonly HeaderName[]): ResponseObject {
  const example = failureAnswer(failure, "api", headers["X-Request-Id"].example).body;
  return {
    description,
    headers: headersWith(...extra),
    content: { "application/json": { schema: componentRef(errorName), example } },
  };
}

function usual(failure: Failure, code: PublicCode, ...extra: readonly HeaderName[]): ResponseObject {
  return errorResponse(failure, errorConditions[code], ...extra);
}

/** The responses that are the same for all routes. */
export const sharedErrorResponses: Readonly<Record<string, ResponseObject>> = {
  InvalidApiKey: usual(invalidKey(), "INVALID_API_KEY", "WWW-Authenticate"),
  RateLimited: usual(rateLimited("second", exampleReading), "RATE_LIMITED", "Retry-After"),
  Internal: usual(new Failure("STORE_UNREACHABLE", ""), "INTERNAL"),
};

/** The 403 of a key with another scope. */
export function scopeResponse({ scope }: Pick<Route, "scope">): ResponseObject {
  const missing = scope === "any" ? "trips:read" : scope;
  const granted = allScopes.filter((other) => other !== missing).slice(0, 2);
  return usual(insufficientScope([missing], { scopes: granted }), "INSUFFICIENT_SCOPE");
}

/** The 410 of a route that can be followed. */
export function expiredResponse(): ResponseObject {
  return usual(expiredResume(), "CURSOR_EXPIRED");
}
