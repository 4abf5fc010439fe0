import type { ShareEnd, ShareLabel } from "../../../store/access/share-links.ts";
import type { NearTown } from "../places/near-town.ts";
import type { Call, List, One } from "./envelopes.ts";
import type { MapSettings } from "./session.ts";

export interface ShareRoutes {
  "GET /shares": Call<List<ShareRecord>>;
  "POST /shares": Call<MadeShare, NewShare>;
  "POST /shares/{share_id}/revoke": Call<One<ShareRecord>>;
  /** For visitors, whom a header with the link's secret lets in. */
  "GET /share": Call<SharedAnswer>;
  "GET /share/track": Call<SharedTrack>;
}

/** A share link as the portal lists it. */
export interface ShareRecord {
  readonly share_id: string;
  readonly name: string;
  readonly label: ShareLabel;
  readonly maker: { readonly user_id: string; readonly name: string };
  /** What it shows, as far as the reader sees it. */
  readonly vehicles: readonly { readonly device_id: string; readonly name: string; readonly plate: string | null }[];
  readonly live: boolean;
  readonly period: SharePeriod | null;
  readonly created_at: string;
  readonly until: string;
  readonly last_opened_at: string | null;
  readonly ended_at: string | null;
  /** `open`, or why it has ended. */
  readonly state: "open" | ShareEnd;
}

interface SharePeriod {
  readonly from: string;
  readonly to: string;
}

/** The ends of a period, both or neither. */
interface NewShare {
  readonly name: string;
  readonly device_ids: readonly string[];
  readonly label?: ShareLabel;
  readonly live?: boolean;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly until: string;
}

/** The answer to making a link: the only one that holds the link itself. */
export interface MadeShare extends One<ShareRecord> {
  readonly url: string;
}

/** What a visitor gets, and all of it. */
export interface SharedView {
  readonly live: boolean;
  readonly period: SharePeriod | null;
  readonly until: string;
  readonly vehicles: readonly SharedVehicle[];
  /** The server's clock: a phone's may be wrong, and the page says how old a position is. */
  readonly now: string;
}

export interface SharedVehicle {
  /** Its place in the link, which stays the same while the link lasts. */
  readonly vehicle: number;
  /** Null: it has no plate, and the maker chose to show plates. */
  readonly label: string | null;
  /** Where it is; null if it has not reported yet, or the link is not live. */
  readonly position: SharedPosition | null;
}

interface SharedPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly recorded_at: string;
  readonly heading_deg: number | null;
  readonly moving: boolean;
  /** The town there; null on the open sea. */
  readonly town: NearTown | null;
}

export interface SharedAnswer extends One<SharedView> {
  readonly map: MapSettings;
}

/** A part of a vehicle's track in the period. */
export interface SharedTrack extends List<TrackPoint> {
  /** Where the next part begins. */
  readonly after: string | null;
  readonly is_last: boolean;
}

/** Time in ms, longitude, latitude, and whether it does not follow from the one before. */
export type TrackPoint = readonly [at: number, longitude: number, latitude: number, isBreak: 0 | 1];
