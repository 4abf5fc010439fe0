import type { AccountLimits } from "../domain/fleet.ts";
import type { Scope } from "../domain/scopes.ts";
import { type Visibility, visibilityOf } from "../domain/visibility.ts";
import type { PrincipalRow } from "../store/access/api-keys.ts";

/** Who calls: a key that works, what it may see and read, and how often. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: number;
  readonly visibility: Visibility;
  readonly scopes: readonly Scope[];
  readonly limits: AccountLimits;
  readonly expiresAt: number | null;
}

export function toPrincipal(row: PrincipalRow): Principal {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    visibility: visibilityOf({ accountId: row.account_id, id: row.user_id, role: row.role }),
    scopes: row.scopes.split(" ") as Scope[],
    limits: {
      perSecond: Math.min(row.key_per_second ?? row.account_per_second, row.account_per_second),
      perDay: Math.min(row.key_per_day ?? row.account_per_day, row.account_per_day),
      accountPerDay: row.together_per_day,
    },
    expiresAt: row.expires_at,
  };
}
