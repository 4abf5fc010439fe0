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

export interface TokenList {
  readonly data: readonly IngestToken[];
  readonly ingest: IngestAddress;
}

/** The answer to making a token: the only one that holds the token itself. */
export interface MadeToken {
  readonly data: IngestToken;
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
