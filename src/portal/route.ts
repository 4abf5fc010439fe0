import type { MeterReading } from "../access/meter.ts";
import type { PasswordLinks } from "../access/password-links.ts";
import type { SessionMeter } from "../access/session-meter.ts";
import type { Session, Sessions } from "../access/sessions.ts";
import type { ShareLinks } from "../access/share-links.ts";
import type { ShareMeter } from "../access/share-meter.ts";
import type { SignIn } from "../access/sign-in.ts";
import type { FileCall } from "../api/export/file.ts";
import type { Api } from "../api/server.ts";
import type { ByteBudget } from "../http/byte-budget.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import type { PortalContract, RouteName } from "./both-sides/contract/contract.ts";
import type { Streamed } from "./both-sides/contract/envelopes.ts";
import type { DemoHistory } from "./both-sides/contract/session.ts";
import type { PortalFiles } from "./bundle.ts";
import type { EditTurns } from "./edit-turns.ts";
import type { FirstRun } from "./first-run.ts";
import type { PlaceNames } from "./geocoder/place-names.ts";
import type { IngestPlace } from "./ingest-address.ts";
import type { Mail } from "./mail/mail.ts";
import type { RequestedLinks } from "./mail/requested-links.ts";
import type { UnsubscribeTokens } from "./mail-queue/unsubscribe-token.ts";
import type { OpenId } from "./openid/open-id.ts";
import type { ProbeLimits } from "./probe-limit.ts";
import type { MapTiles } from "./tiles/map-tiles.ts";
import type { UploadedStreets } from "./tiles/uploaded-streets.ts";

/** The addresses of map styles of other sites; null: the map that comes with the page. */
export interface MapStyles {
  readonly light: string | null;
  /** Null: the light one, if there is one. */
  readonly dark: string | null;
}

/** What the portal works with. */
export interface PortalDeps {
  readonly database: Database;
  readonly api: Pick<Api, "answerViewer" | "answerExport" | "answerFile" | "forgetKeys">;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly passwordLinks: PasswordLinks;
  /** Null: links are copied, not mailed. */
  readonly mail: Mail | null;
  /** For accounts with a made-up fleet, where there is no mail. */
  readonly keptMail: Mail;
  /** Null: there is no mail. */
  readonly requestedLinks: RequestedLinks | null;
  readonly unsubscribeTokens: UnsubscribeTokens;
  /** Where people reach the portal, without `/portal`; null: wherever they just did. */
  readonly publicUrl: string | null;
  readonly sessionMeter: SessionMeter;
  readonly shares: ShareLinks;
  /** Of what visitors with share links ask for; their tiles by the other. */
  readonly shareMeter: ShareMeter;
  readonly shareTileMeter: ShareMeter;
  /** Of edits of fleets. */
  readonly editTurns: EditTurns;
  /** Of trackers and e-mails of other accounts. */
  readonly probeLimits: ProbeLimits;
  /** Request bodies in memory. */
  readonly bodies: ByteBudget;
  /** The page and what it loads. */
  readonly files: () => Promise<PortalFiles>;
  readonly mapStyles: MapStyles;
  /** The street tiles on disk; null: none are configured. */
  readonly mapTiles: MapTiles | null;
  /** The owner's own archives; or why only the people who run the server can set up streets. */
  readonly streets: UploadedStreets | "several_nodes" | "configured";
  /** Names of streets. */
  readonly placeNames: PlaceNames;
  readonly maxKeysPerUser: number;
  readonly firstRun: FirstRun;
  /** Null: people sign in with passwords only. */
  readonly openId: OpenId | null;
  /** Where trackers send to; null before it is known. */
  readonly ingest: () => IngestPlace | null;
  /** Null: this is no demo, or all of its history is there. */
  readonly demoHistory: () => DemoHistory | null;
  /** Whether the program makes a fleet to look at for an owner. */
  readonly makesDemos: boolean;
  readonly observe: Observe;
}

/** One request on its way. */
export interface PortalCall {
  readonly requestId: string;
  readonly request: Request;
  readonly path: string;
  readonly query: string;
  /** Where it comes from. */
  readonly address: () => string;
  /** To be called while an answer has nothing to send for a while. */
  readonly stayOpen: () => void;
  readonly now: number;
  /** The time later on: an answer may take long to read. */
  readonly clock: () => number;
  /** For the log and the metrics, of which there must not be one per id. */
  routeName: string;
}

/** The bytes of a body, and what the contract says is in them. */
export type SentBody<Sent> = Uint8Array & { readonly [sent]?: Sent };
declare const sent: unique symbol;

/** What a handler may use. */
export interface OpenCall<Sent = unknown> extends PortalCall {
  readonly parts: PortalDeps;
  readonly body: SentBody<Sent>;
  /** The path's value for each `{name}`; for `/*`, all the rest. */
  readonly values: readonly string[];
}

/** Who calls, and what they have used of their calls. */
export interface SignedIn {
  readonly session: Session;
  readonly reading: MeterReading;
  /** Rejects if the session has ended meanwhile, or its user sees something else. A long answer asks for each part. */
  readonly checkAccess: () => Promise<void>;
}

export type SignedInCall<Sent = unknown> = OpenCall<Sent> & SignedIn;

export function isOwner({ session }: SignedIn): boolean {
  return session.user.role === "owner";
}

interface AnswerHead {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** The body is sent as JSON; absent: nothing. */
export type PortalAnswer<Body> = AnswerHead &
  (Body extends void ? { readonly body?: undefined } : { readonly body: Body });

/** Whatever the contract says of its route. */
export interface AnyAnswer extends AnswerHead {
  readonly body?: unknown;
}

/** Where the routes are. */
export const apiPath = "/portal/api";

/** Who may call a route decides whether its handler is given a session. */
interface Calls<Sent> {
  readonly anyone: OpenCall<Sent>;
  readonly "signed in": SignedInCall<Sent>;
  readonly owner: SignedInCall<Sent>;
}

type Who = keyof Calls<unknown>;

interface Route<By extends Who> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to /portal/api. */
  readonly path: `/${string}`;
  readonly who: By;
  readonly answer: (call: Calls<unknown>[By]) => Promise<AnyAnswer | Response>;
}

export type PortalRoute = Route<"anyone"> | Route<"signed in"> | Route<"owner">;

/** What the contract says that a handler answers. */
type AnswerOf<Name extends RouteName> = PortalContract[Name]["answer"] extends Streamed
  ? Response
  : PortalAnswer<PortalContract[Name]["answer"] | PortalContract[Name]["previewed"]>;

/** A route is data. */
export function portalRoute<Name extends RouteName, By extends Who>(
  name: Name,
  who: By,
  answer: (call: Calls<PortalContract[Name]["sent"]>[By]) => Promise<AnswerOf<Name>>,
): Route<By> {
  const [method, path] = name.split(" ") as [PortalRoute["method"], PortalRoute["path"]];
  // Bytes are what the contract says once `readCheckedBody` has looked at them, and not before.
  return { method, path, who, answer: answer as Route<By>["answer"] };
}

/** What a file that is sent while it is made needs to know of its request. */
export function fileCall(call: SignedInCall): Omit<FileCall, "format" | "fileName"> {
  const { requestId, routeName, request, session, reading, checkAccess, stayOpen } = call;
  const isHead = request.method === "HEAD";
  const { visibility } = session;
  return { requestId, routeName, headers: request.headers, isHead, visibility, reading, checkAccess, stayOpen };
}
