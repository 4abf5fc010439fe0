import { ChangeFeed } from "../api/change-feed.ts";
import type { AlertChange } from "./lanes.ts";

/** Alerts as they become known: one poll for the list and for the number in the navigation. */
export const alertFeed = new ChangeFeed<AlertChange>({ types: "alert" });
