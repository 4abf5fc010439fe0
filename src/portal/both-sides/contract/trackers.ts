import type { TrackerProtocol } from "../../../domain/tracker-protocols.ts";
import type { ShownMessage } from "../../../intake/trackers/connection/describe.ts";
import type { Call, List, One } from "./envelopes.ts";

/** How what a tracker sends reaches the account. */
export interface TrackerRoutes {
  "GET /fleet/tokens": Call<TokenList>;
  "POST /fleet/tokens": Call<MadeToken, { readonly name: string }>;
  "POST /fleet/tokens/{token_id}/revoke": Call<One<IngestToken>>;
  "GET /fleet/tracker-address": Call<One<TrackerAddress>>;
  "GET /fleet/unknown-devices": Call<List<UnknownDevice>>;
  "GET /fleet/expected-trackers": Call<List<ExpectedTrackerRecord>>;
  "POST /fleet/expected-trackers": Call<One<ExpectedTrackerRecord>, { readonly tracker: string }>;
  "DELETE /fleet/expected-trackers/{expected_id}": Call<One<{ readonly expected_id: string }>>;
  /** A POST, since it has the nodes write down what the tracker sends from now on. */
  "POST /fleet/devices/{device_id}/tracker-messages": Call<TrackerMessages>;
  "GET /tracker-faults": Call<List<TrackerFaultRecord>>;
}

export interface IngestToken {
  readonly token_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** Whether something was sent with it in the last minutes. */
  readonly still_sends: boolean;
}

export interface TokenList extends List<IngestToken> {
  readonly ingest: IngestAddress;
}

/** The answer to making a token: the only one that holds the token itself. */
export interface MadeToken extends One<IngestToken> {
  readonly token: string;
  readonly ingest: IngestAddress;
}

/** Where trackers send to, as the server knows it. */
export interface IngestAddress {
  readonly url: string;
  /** Nobody has set it: the portal's own host with the port for trackers. */
  readonly is_guess: boolean;
  /** Only programs on the same machine reach it. */
  readonly is_loopback: boolean;
  readonly mqtt: BrokerPlace | null;
}

export interface BrokerPlace {
  readonly host: string;
  readonly port: number;
  readonly is_tls: boolean;
  /** The topic filters that are listened to. */
  readonly topics: readonly string[];
}

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

/** A tracker that was refused lately, by its IMEI or by what it calls itself. */
export interface UnknownDevice {
  readonly imei: string | null;
  readonly tracker_id: string | null;
  /** Null: it did not call by itself. */
  readonly protocol: TrackerProtocol | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly count: number;
}

/** A tracker that the owner has announced, and whether it has called. */
export interface ExpectedTrackerRecord {
  readonly expected_id: string;
  /** The IMEI or the tracker id, as it was entered. */
  readonly tracker: string;
  readonly entered_at: string;
  /** The last time that it called and was refused; null: not yet. */
  readonly called_at: string | null;
  readonly last_protocol: TrackerProtocol | null;
  /** How often. */
  readonly count: number;
  /** The vehicle of the account that has it by now: its calls are no longer counted here. */
  readonly device_id: string | null;
}

/** A message that a vehicle's tracker sent, and what became of it. */
export interface TrackerMessageRecord extends ShownMessage {
  /** Of the process that received it, and counted there: no two have the same. */
  readonly id: string;
  readonly received_at: string;
}

/** The newest first. */
export interface TrackerMessages extends List<TrackerMessageRecord> {
  /** Whether this server listens to any family. */
  readonly is_listening: boolean;
}

/** What is wrong with a vehicle's tracker at present. */
export interface TrackerFaultRecord {
  readonly device_id: string;
  /** Negative: it is slow; null: it is right. */
  readonly clock_ahead_s: number | null;
  /** The `tracker_clock` that would put it right. */
  readonly right_clock: string | null;
  readonly shares_imei: boolean;
}
