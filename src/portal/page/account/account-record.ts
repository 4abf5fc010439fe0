/** The account as its owner may see and change it. */
export interface AccountRecord {
  readonly id: string;
  readonly name: string;
  readonly time_zone: string;
  readonly limits: { readonly per_second: number; readonly per_day: number; readonly account_per_day?: number };
  readonly revision: number;
  readonly managed_by: "file" | "portal";
  /** Added in the portal: no fleet file ever had it. */
  readonly is_made_here: boolean;
}
