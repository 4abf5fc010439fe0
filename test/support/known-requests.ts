import type { KnownRequests } from "../../src/observe/metrics.ts";
import type { Observation, Observe } from "../../src/observe/observation.ts";

/** Keeps what is observed. An answer that the metrics do not know beforehand fails the test, whatever it is about. */
export function keepObservations(known: KnownRequests, observations: Observation[]): Observe {
  return (fact) => {
    observations.push(fact);
    if (fact.kind !== "request_answered" || known[fact.route]?.includes(fact.status)) return;
    throw new Error(`the metrics do not know of ${fact.status} for ${fact.route}: see known-requests.ts`);
  };
}
