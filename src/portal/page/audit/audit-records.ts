/** An entry of the audit log, with the names that people and things have now. */
export interface AuditEntry {
  readonly entry_id: string;
  readonly at: string;
  readonly actor: {
    readonly kind: "user" | "command" | "file" | "stranger";
    readonly id: string | null;
    readonly name: string | null;
    /** Removed and kept: the name is shown in the log alone. */
    readonly is_removed: boolean;
  };
  readonly action: string;
  readonly type: string;
  readonly id: string;
  /** Null: it was erased, or has no name. */
  readonly name: string | null;
  readonly is_removed: boolean;
  readonly details: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface AuditPart {
  readonly data: readonly AuditEntry[];
  /** What the next part is asked for with; null: this was the last. */
  readonly next_before: string | null;
}

export interface AuditedPerson {
  readonly user_id: string;
  readonly name: string;
  readonly is_removed: boolean;
}
