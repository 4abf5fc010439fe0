import { type Audience, type ErrorCode, errorTable, Failure } from "../domain/errors.ts";
import type { Observation } from "./observation.ts";

/** Failures and refusals by side, then by code. */
export type ErrorCounts = Record<string, Record<string, number>>;

const audiences: Readonly<Record<string, readonly Audience[]>> = {
  api: ["api", "agent"],
  portal: ["portal"],
  ingest: ["sender"],
};

/** With 0 for every error of the sides that these routes belong to. */
export function noErrors(routes: readonly string[]): ErrorCounts {
  const sides = new Set(routes.map(sideOf));
  return Object.fromEntries(
    [...sides].map((side) => [side, Object.fromEntries(codesOf(side).map((code) => [code, 0]))]),
  );
}

export function countError(counts: ErrorCounts, observation: Observation): void {
  if (observation.kind !== "request_refused" && observation.kind !== "request_failed") return;
  const side = sideOf(observation.route);
  counts[side] ??= {};
  const ofSide = counts[side];
  const code = observation.kind === "request_refused" ? observation.code : codeOf(observation.cause);
  ofSide[code] = (ofSide[code] ?? 0) + 1;
}

function codeOf(cause: unknown): ErrorCode {
  return cause instanceof Failure ? cause.code : "INTERNAL";
}

function sideOf(route: string): string {
  if (route.startsWith("ingest ")) return "ingest";
  return route.startsWith("/portal") ? "portal" : "api";
}

function codesOf(side: string): string[] {
  const isSeen = (seenBy: readonly Audience[]) => seenBy.some((audience) => audiences[side]?.includes(audience));
  return Object.entries(errorTable)
    .filter(([code, rules]) => code === "INTERNAL" || "senderGets" in rules || isSeen(rules.seenBy))
    .filter(([, { outcome }]) => outcome !== "aborted")
    .map(([code]) => code);
}
