import { type TrackerProtocol, trackerProtocols } from "../../domain/tracker-protocols.ts";

/** A family and the port that its trackers call. */
export interface ChosenPort {
  readonly name: TrackerProtocol;
  /** Null: the one that is usual for this family. 0: any free one. */
  readonly port: number | null;
}

export interface TrackerSettings {
  readonly ports: readonly ChosenPort[];
  readonly hostname: string;
  /** As written; null: any address may connect. */
  readonly networks: string | null;
  /** As written: balancers that say where a tracker comes from; null: there are none. */
  readonly proxies: string | null;
}

export const trackersExpected = `names of tracker families, each with a port if it is not the usual one, such as gt06,teltonika=5027; the names are ${trackerProtocols.join(", ")}`;

/** `gt06,teltonika=5027`. Null if a name is unknown or there twice, or a port is none. */
export function readTrackerPorts(text: string): readonly ChosenPort[] | null {
  const ports = text.split(",").map((part) => {
    const [written = "", port, ...more] = part.trim().split("=");
    const name = trackerProtocols.find((known) => known === written.trim().toLowerCase());
    const number = port === undefined ? null : /^\d{1,5}$/.test(port.trim()) ? Number(port) : Number.NaN;
    const isRight = name !== undefined && more.length === 0 && (number === null || number <= 65_535);
    return isRight ? { name, port: number } : null;
  });
  const chosen = ports.filter((port) => port !== null);
  const isEachOnce = new Set(chosen.map(({ name }) => name)).size === ports.length;
  return isEachOnce ? chosen : null;
}
