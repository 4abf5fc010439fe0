import type { AccountRoutes } from "./account.ts";
import type { AlertRoutes } from "./alerts.ts";
import type { AuditRoutes } from "./audit.ts";
import type { DataRoutes, ListRoutes, OtherData } from "./data.ts";
import type { DemoRoutes } from "./demo.ts";
import type { EditPreview } from "./envelopes.ts";
import type { FenceRoutes } from "./fences.ts";
import type { FleetDaysRoutes } from "./fleet-days.ts";
import type { KeyRoutes } from "./keys.ts";
import type { NotificationRoutes } from "./notifications.ts";
import type { PeopleRoutes } from "./people.ts";
import type { PlaceRoutes } from "./places.ts";
import type { PlannedReportRoutes } from "./planned-reports.ts";
import type { RuleRoutes } from "./rules.ts";
import type { SessionRoutes } from "./session.ts";
import type { ShareRoutes } from "./shares.ts";
import type { StreetRoutes } from "./streets.ts";
import type { TrackerRoutes } from "./trackers.ts";
import type { TrackRoutes } from "./tracks.ts";
import type { VehicleRoutes } from "./vehicles.ts";

/**
 * Every route under /portal/api: what it answers, and what is sent to it. The server's handlers and the page's calls are both
 * held to it by the compiler, the table of routes by a test.
 */
export interface PortalContract
  extends SessionRoutes,
    KeyRoutes,
    ShareRoutes,
    DataRoutes,
    FleetDaysRoutes,
    PlaceRoutes,
    AlertRoutes,
    NotificationRoutes,
    PlannedReportRoutes,
    VehicleRoutes,
    StreetRoutes,
    TrackerRoutes,
    TrackRoutes,
    PeopleRoutes,
    FenceRoutes,
    RuleRoutes,
    AccountRoutes,
    DemoRoutes,
    AuditRoutes {}

/** A method and a path, such as `POST /keys/{key_id}/rotate`. */
export type RouteName = keyof PortalContract;

/** What the page may call: of the API's data each list by itself. */
interface Callable extends Omit<PortalContract, "GET /data/*" | "GET /live-positions">, ListRoutes, OtherData {}

export type CallName = keyof Callable;
export type ReadName = Extract<CallName, `GET ${string}`>;
export type ChangeName = Exclude<CallName, ReadName>;

export type AnswerTo<Name extends CallName> = Callable[Name]["answer"];
export type SentTo<Name extends CallName> = Callable[Name]["sent"];
export type PreviewOf<Name extends CallName> = Callable[Name]["previewed"];

/** Those to which nothing is sent. */
export type BodilessName = { [Name in ChangeName]: [SentTo<Name>] extends [undefined] ? Name : never }[ChangeName];

/** Those of which it can be asked beforehand what they would do. */
export type PreviewableName = {
  [Name in CallName]: [PreviewOf<Name>] extends [never] ? never : Name;
}[CallName];

/** Of these, those that change a record of the fleet: the preview says what the edit would concern. */
export type EditName = {
  [Name in PreviewableName]: PreviewOf<Name> extends EditPreview ? Name : never;
}[PreviewableName];
