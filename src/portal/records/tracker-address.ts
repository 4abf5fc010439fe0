import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";

/** Where trackers that speak to the server themselves call. */
export interface TrackerAddress {
  /** A name or an IP address. */
  readonly host: string;
  /** Nobody has set it: the portal's own. */
  readonly is_guess: boolean;
  /** Only this machine or its own network reaches it: no tracker with a SIM card does. */
  readonly is_local: boolean;
  readonly ports: readonly TrackerPort[];
}

export interface TrackerPort {
  readonly protocol: TrackerProtocol;
  /** Null: the server does not listen to this family. */
  readonly port: number | null;
  /** The one that it would have, unless the operator chooses another. */
  readonly usual_port: number;
}
