import type { Caller, Observe } from "./observation.ts";
import { RefusalLines } from "./refusal-lines.ts";

const minuteMs = 60_000;

/** Known callers: a mistake is a few lines, and a program that repeats it all day some megabytes. A line has 250 bytes. */
const known = { perCaller: { burst: 300, perMinute: 30 }, together: { burst: 1_000, perMinute: 300 } };
/** Anybody on the internet: all together cause at most some 20 MB a day. */
const unknown = { perCaller: { burst: 100, perMinute: 10 }, together: { burst: 300, perMinute: 60 } };

export interface BoundedObserver {
  readonly observe: Observe;
  /** Reports what the log has left out so far. Call it at the end. */
  close(): void;
}

/**
 * Passes every observation to the metrics. The log gets only as many refused requests as there are lines for, so nobody
 * can fill it by being refused; the others are counted and summarised once a minute. Of exceeded limits (429) only the
 * first is written, until a minute passes without one.
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
      // Only refusals need a timer, and it must not delay the exit.
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
