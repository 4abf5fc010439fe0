import type { KnownRequests } from "../../src/observe/metrics.ts";
import type { Observation, Observe } from "../../src/observe/observation.ts";

/**
 * Keeps what is observed. An answer that the metrics do not know beforehand fails the test, whatever it is about, and so
 * does a failure of which the log could not tell.
 */
export function keepObservations(known: KnownRequests, observations: Observation[]): Observe {
  const failures = new Set<string>();
  return (fact) => {
    observations.push(fact);
    if (fact.kind === "request_refused" || fact.kind === "request_failed") failures.add(fact.requestId);
    if (fact.kind !== "request_answered") return;
    // What the portal answers with the API's routes is observed there.
    const isOfApi = fact.route === "/portal/api/data/*" || fact.route === "/portal/api/live-positions";
    const isReported = fact.status < 400 || failures.has(fact.requestId) || isOfApi;
    if (!isReported) throw new Error(`${fact.status} of ${fact.route} is a failure of which the log does not tell`);
    if (known[fact.route]?.includes(fact.status)) return;
    throw new Error(`the metrics do not know of ${fact.status} for ${fact.route}: see known-requests.ts`);
  };
}
