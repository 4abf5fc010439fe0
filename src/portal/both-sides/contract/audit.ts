import type { Call, List, Streamed } from "./envelopes.ts";

export interface AuditRoutes {
  "GET /fleet/log": Call<AuditPart>;
  "GET /fleet/log/people": Call<List<AuditedPerson>>;
  "GET /fleet/log/download": Call<Streamed>;
}

/** An entry of the audit log, as the server sends it: with the names that people and things have now. */
export interface AuditRecord {
  readonly entry_id: string;
  readonly at: string;
  readonly actor: {
    /** `user`, `command`, `file` or `stranger`. */
    readonly kind: string;
    readonly id: string | null;
    readonly name: string | null;
    /** The person was removed, and the name is in the log alone. */
    readonly is_removed: boolean;
  };
  readonly action: string;
  readonly type: string;
  readonly id: string;
  /** Null: it was erased, or has no name. */
  readonly name: string | null;
  /** It was removed, and is kept and hidden. */
  readonly is_removed: boolean;
  readonly details: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface AuditPart extends List<AuditRecord> {
  /** What the next part is asked for with; null: this was the last. */
  readonly next_before: string | null;
}

export interface AuditedPerson {
  readonly user_id: string;
  readonly name: string;
  readonly is_removed: boolean;
}
