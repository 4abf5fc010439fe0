import type { TrackerProtocol } from "../../domain/tracker-protocols.ts";

/** Where trackers that speak to the server themselves call. */
export interface TrackerAddress {
  /** A name or an IP address. */
  readonly host: string;
  /** Nobody has set it: the portal's own. */
  readonly is_guess: boolean;
  /** Only this machine or its own network reaches it: no tracker with a SIM card does. */
  readonly is_local: boolean;
  /** Families that are not here are not listened to. */
  readonly ports: readonly { readonly protocol: TrackerProtocol; readonly port: number }[];
}
