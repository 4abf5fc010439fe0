import type { Caller, Observe } from "./observation.ts";
import { RefusalLines } from "./refusal-lines.ts";

const minuteMs = 60_000;

/**
 * Callers that are known: a customer's mistake is a few lines, and a program that repeats it all day some megabytes.
 * In lines, of some 250 bytes each.
 */
const known = { perCaller: { burst: 300, perMinute: 30 }, together: { burst: 1_000, perMinute: 300 } };
/** Anybody on the internet: what they all cause together is at most some 20 MB a day. */
const unknown = { perCaller: { burst: 100, perMinute: 10 }, together: { burst: 300, perMinute: 60 } };

export interface BoundedObserver {
  readonly observe: Observe;
  /** Reports what the log has left out so far. To be called at the end. */
  close(): void;
}

/**
 * Passes every observation on to the metrics, and to the log so that nobody can fill it by being refused: of refused
 * requests as many as there are lines for. The others are counted and summarised once a minute. Of limits that were
 * exceeded (429) the first is written, and the others are counted until a minute passes without one.
 */
export function boundRefusals(log: Observe, metrics: Observe): BoundedObserver {
  const groups = { known: new RefusalLines(known, log), unknown: new RefusalLines(unknown, log) };
  let timer: Timer | null = null;

  const report = () => {
    for (const summary of [...groups.known.summaries(), ...groups.unknown.summaries()]) {
      log(summary);
      metrics(summary);
    }
  };
  const endMinute = () => {
    report();
    for (const group of Object.values(groups)) group.endMinute();
    if (timer === null || !Object.values(groups).every((group) => group.isUntouched)) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    observe(observation) {
      metrics(observation);
      if (observation.kind !== "request_refused") {
        log(observation);
        return;
      }
      // Only what was refused needs a timer, and it must not hold the exit.
      if (timer === null) {
        timer = setInterval(endMinute, minuteMs);
        timer.unref();
      }
      const { network, ...refused } = observation;
      const { keyId, userId, tokenId } = refused;
      const id = keyId ?? userId ?? tokenId;
      if (id === undefined) groups.unknown.add(network ?? "", {}, refused);
      else groups.known.add(id, callerOf(refused), refused);
    },
    close() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      report();
    },
  };
}

function callerOf({ keyId, userId, tokenId }: Caller): Caller {
  return { ...(keyId && { keyId }), ...(userId && { userId }), ...(tokenId && { tokenId }) };
}
