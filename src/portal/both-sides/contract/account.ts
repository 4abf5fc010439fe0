import type { AccountStatus } from "../../../domain/fleet.ts";
import type { Call, ChangeCall, Managed, One } from "./envelopes.ts";

export interface AccountRoutes {
  "GET /fleet/account": Call<One<AccountRecord>>;
  "PUT /fleet/account": ChangeCall<AccountRecord>;
}

/** The account as its line of the fleet file has it. */
export interface AccountRecord extends Managed {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** The IANA name. */
  readonly time_zone: string;
  readonly limits: {
    readonly per_second: number;
    readonly per_day: number;
    /** For all keys together; absent: no such limit. */
    readonly account_per_day?: number;
  };
}
