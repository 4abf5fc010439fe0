/** What is known of every record that the fleet file or the portal manages. */
export interface Managed {
  readonly revision: number;
  /** Where it was changed last. */
  readonly managed_by: "file" | "portal";
  /** Added in the portal: no fleet file ever had it. */
  readonly is_made_here: boolean;
}
