import { SecondWindow } from "../../../access/meter.ts";
import type { Observe } from "../../../observe/observation.ts";
import type { RefusedReason } from "../counts.ts";
import type { Transport } from "../kit/family.ts";
import { limits } from "../limits.ts";

const minuteMs = 60_000;
/** As many as could send from addresses of their own; further ones share a budget. Some hundred bytes each. */
const maxNetworks = 50_000;
/** Fewer in a minute are in the log one by one. */
const fewestReported = limits.unknownPerSecond;
/** Over each transport; the others are summed up. */
const maxReported = 5;

const othersName = "other addresses";
const advice = "docs/trackers.md, When nothing comes";

class Network {
  readonly window = new SecondWindow();
  refused = 0;
  noted = 0;
}

interface OverTransport {
  readonly inAll: SecondWindow;
  readonly networks: Map<string, Network>;
  readonly others: Network;
}

/**
 * Counts trackers that are no device of ours, by where they call from. Few of them are noted, since each costs memory and statements.
 * The sender of a datagram can pretend to be anywhere, so these have a budget of their own. Counted at once: however many come
 * together, no more than the budget is noted.
 */
export class Strangers {
  readonly #over: Readonly<Record<Transport, OverTransport>> = { tcp: noCalls(), udp: noCalls() };
  readonly #now: () => number;
  readonly #observe: Observe;
  #reportedAt: number;

  constructor(now: () => number, observe: Observe) {
    this.#now = now;
    this.#observe = observe;
    this.#reportedAt = now();
  }

  /** `unknown`: it is to be noted. */
  refuse(name: string, over: Transport): RefusedReason {
    const { inAll, networks, others } = this.#over[over];
    let network = networks.get(name);
    if (network === undefined && networks.size < maxNetworks) {
      network = new Network();
      networks.set(name, network);
    }
    network ??= others;
    const now = this.#now();
    network.refused++;
    // In this order: a network that is over its own budget takes nothing from the others.
    if (!network.window.take(limits.unknownPerSecond, now)) return "too_many_unknown";
    if (!inAll.take(limits.unknownInAll[over], now)) return "too_many_unknown";
    network.noted++;
    return "unknown";
  }

  /** To be called every few seconds: says once a minute who was refused often. */
  reportDue(): void {
    // A clock that was set back must not silence it.
    if (Math.abs(this.#now() - this.#reportedAt) >= minuteMs) this.report();
  }

  report(): void {
    this.#reportedAt = this.#now();
    for (const over of ["tcp", "udp"] as const) this.#reportOver(over, this.#over[over]);
  }

  #reportOver(over: Transport, { networks, others }: OverTransport): void {
    const calling = [...networks].filter(([, { refused }]) => refused > 0);
    calling.sort(([, one], [, other]) => other.refused - one.refused);
    const often = calling.filter(([, { refused }]) => refused > fewestReported).slice(0, maxReported);
    const rest = [...calling.slice(often.length).map(([, network]) => network), others];
    const sum = (of: "refused" | "noted") => rest.reduce((total, network) => total + network[of], 0);
    const reports = often.map(([address, { refused, noted }]) => ({ address, refused, noted }));
    if (sum("refused") > fewestReported) {
      reports.push({ address: othersName, refused: sum("refused"), noted: sum("noted") });
    }
    for (const report of reports) this.#observe({ kind: "unknown_trackers_refused", over, ...report, advice });
    for (const [name, network] of networks) if (network.refused === 0) networks.delete(name);
    for (const network of [...networks.values(), others]) network.refused = network.noted = 0;
  }
}

function noCalls(): OverTransport {
  return { inAll: new SecondWindow(), networks: new Map(), others: new Network() };
}
