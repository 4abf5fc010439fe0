import { type TrackerProtocol, trackerProtocols } from "../../../src/domain/tracker-protocols.ts";
import type { CallerReport } from "./callers.ts";
import { callers } from "./callers.ts";
import { WireTracker } from "./wire-tracker.ts";

/** A tracker of each family in turn, as a line of a fleet file. */
export function trackerDevice(number: number, account_id: string) {
  const protocol = protocolOf(number);
  const imei = String(860_000_000_000_000 + number * 17);
  const identity = callers[protocol].identity(imei);
  return {
    type: "device",
    id: `7a0f6a52-6c1e-4d0f-9f53-${String(number).padStart(12, "0")}`,
    account_id,
    imei,
    name: `${protocol} ${number}`,
    tracker_protocol: protocol,
    tracker_id: identity === imei ? null : identity,
  };
}

export function protocolOf(number: number): TrackerProtocol {
  return trackerProtocols[number % trackerProtocols.length] as TrackerProtocol;
}

/** Has reports to send, and drops one only when it was answered. */
export class ReportingTracker {
  readonly imei: string;
  readonly #protocol: TrackerProtocol;
  readonly waiting: CallerReport[];
  readonly answered: CallerReport[] = [];

  constructor(number: number, reports: readonly CallerReport[]) {
    this.imei = trackerDevice(number, "").imei;
    this.#protocol = protocolOf(number);
    this.waiting = [...reports];
  }

  /** Connects and sends until there is nothing left, or the server is gone, or it is enough. */
  async send(ports: Readonly<Record<TrackerProtocol, number>>, isEnough = () => false): Promise<void> {
    const tracker = new WireTracker(this.#protocol, this.imei, ports[this.#protocol]);
    if (!(await tracker.connect())) return;
    while (this.waiting[0] !== undefined && !isEnough()) {
      if (!(await tracker.report(this.waiting[0]))) return;
      const report = this.waiting.shift();
      if (report !== undefined) this.answered.push(report);
    }
    tracker.close();
  }
}

/** A drive along a street, a report every ten seconds. */
export function someReports(number: number, count: number): readonly CallerReport[] {
  const begin = Date.UTC(2026, 10, 16, 6) + number * 1_000;
  return Array.from({ length: count }, (_, index) => ({
    at: begin + index * 10_000,
    latitude: 52.5 + index * 0.0012,
    longitude: 13.4,
  }));
}
