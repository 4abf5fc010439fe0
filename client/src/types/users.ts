// Made from the description by scripts/client-types.ts: change the description instead.

/** List sub-accounts: what may be asked for. */
export interface ListUsersQuery {
  /** Rows per page. */
  limit?: number | undefined;
}
