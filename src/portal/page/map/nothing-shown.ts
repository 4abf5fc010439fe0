/** Why the map is empty, and what to do about it. */
export interface NothingShown {
  readonly title: string;
  readonly texts: readonly string[];
}

/** The owner is asked to load a fleet file; a sub-account is told whom to ask. */
export function nothingShown(role: "owner" | "sub_account", hasVehicles: boolean): NothingShown {
  if (hasVehicles) {
    const check = "If you expect some, check that the trackers send to the ingest port";
    return {
      title: "No positions yet",
      texts: [
        "A vehicle appears here with its first valid position.",
        role === "owner" ? `${check}.` : `${check}, or ask the owner of the account.`,
      ],
    };
  }
  return role === "owner"
    ? {
        title: "No vehicles yet",
        texts: ["Vehicles come with the fleet file: add a line of type device for each, and run odograph load."],
      }
    : { title: "No vehicles yet", texts: ["Ask the owner of the account to assign some to you."] };
}
