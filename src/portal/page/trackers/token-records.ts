import type { IngestAddress } from "./tracker-ways.ts";

/** A token of the ingest port, as the portal shows it. */
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
