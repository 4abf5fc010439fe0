import { LineShares } from "./line-shares.ts";
import { causeText } from "./log.ts";
import { type Caller, type Observation, type Observe, type Observed, observationKinds } from "./observation.ts";

const minuteMs = 60_000;

/** Known callers: a mistake is a few lines, and a program that repeats it all day some megabytes. A line has 250 bytes. */
const known = { each: { burst: 300, perMinute: 30 }, together: { burst: 1_000, perMinute: 300 } };
/** Anybody on the internet: all together cause at most some 20 MB a day. */
const unknown = { each: { burst: 100, perMinute: 10 }, together: { burst: 300, perMinute: 60 } };
/** By kind. A line has up to 1.5 kB: in a day one cause writes some 4 MB, all causes of a kind 40 MB. */
const repeated = { each: { burst: 20, perMinute: 2 }, together: { burst: 200, perMinute: 20 } };

/** Longer texts are cut, so that a summary stays a short line. */
const maxCauseLength = 300;

export interface BoundedObserver {
  readonly observe: Observe;
  /** Reports what the log has left out so far. Call it at the end. */
  close(): void;
}

/**
 * Passes every observation to the metrics. What can be repeated without end (`observationKinds`) gets only as many lines in the
 * log as there are for it, so that neither a stranger nor a fault can fill the disk; the rest is counted and summarised once a
 * minute. Of exceeded limits (429) only the first is written, until a minute passes without one.
 */
export function boundLog(log: Observe, metrics: Observe): BoundedObserver {
  const knownCallers = new LineShares<Caller>(known);
  const unknownCallers = new LineShares<Caller>(unknown);
  const repeats = new Map<Observation["kind"], LineShares<string>>();
  let timer: Timer | null = null;

  const summaries = (): Observation[] => {
    const refusals = [...knownCallers.leftOut(), ...unknownCallers.leftOut()].map(
      ({ holder, count, labels }): Observation => ({ kind: "requests_refused", ...holder, count, codes: labels }),
    );
    const others = repeats.entries().flatMap(([of, shares]) =>
      shares.leftOut().map(({ holder, count, labels }): Observation => {
        const [what, routes] = [holder ? { what: holder } : {}, of === "request_failed" ? { routes: labels } : {}];
        return { kind: "lines_left_out", of, count, ...what, ...routes };
      }),
    );
    return [...refusals, ...others];
  };
  const report = () => {
    for (const summary of summaries()) {
      log(summary);
      metrics(summary);
    }
  };
  const endMinute = () => {
    report();
    const all = [knownCallers, unknownCallers, ...repeats.values()];
    for (const shares of all) shares.endMinute();
    if (timer === null || !all.every((shares) => shares.isUntouched)) return;
    clearInterval(timer);
    timer = null;
  };
  const hasRefusalLine = ({ keyId, userId, tokenId, network, code, status }: Observed<"request_refused">) => {
    const id = keyId ?? userId ?? tokenId;
    if (id === undefined) return unknownCallers.take(network ?? "", null, code, status === 429);
    const caller = { ...(keyId && { keyId }), ...(userId && { userId }), ...(tokenId && { tokenId }) };
    return knownCallers.take(id, caller, code, status === 429);
  };
  const hasLine = (observation: Observation) => {
    const shares = repeats.getOrInsertComputed(observation.kind, () => new LineShares(repeated));
    const cause = causeOf(observation);
    return shares.take(cause, cause, "route" in observation ? observation.route : "");
  };
  return {
    observe(observation) {
      metrics(observation);
      const { bound } = observationKinds[observation.kind];
      if (bound !== "refusals" && bound !== "repeats") {
        log(observation);
        return;
      }
      // Only these need a timer, and it must not delay the exit.
      timer ??= setInterval(endMinute, minuteMs).unref();
      if (observation.kind !== "request_refused") {
        if (hasLine(observation)) log(observation);
      } else if (hasRefusalLine(observation)) {
        const { network: _, ...refused } = observation;
        log(refused);
      }
    },
    close() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      report();
    },
  };
}

/** Each cause has its own lines, so that one that is always there does not hide a new one. */
function causeOf(observation: Observation): string {
  if (observation.kind === "maintenance_failed") return observation.task;
  return observation.kind === "request_failed" ? causeText(observation.cause).slice(0, maxCauseLength) : "";
}
