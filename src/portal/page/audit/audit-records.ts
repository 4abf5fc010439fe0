/** An entry of the audit log, with the names that people and things have now. */
export interface AuditEntry {
  readonly entry_id: string;
  readonly at: string;
  readonly actor: {
    readonly kind: "user" | "command" | "file" | "stranger";
    readonly id: string | null;
    readonly name: string | null;
  };
  readonly action: string;
  readonly type: string;
  readonly id: string;
  /** Null: it was removed, or has no name. */
  readonly name: string | null;
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
}
