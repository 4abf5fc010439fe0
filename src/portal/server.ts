import { clientAddress } from "../access/address-meter.ts";
import { HashQueue } from "../access/hash-queue.ts";
import { defaultMaxKeysPerUser } from "../access/keys.ts";
import { PasswordLinks } from "../access/password-links.ts";
import { verifyPassword } from "../access/passwords.ts";
import { SessionMeter } from "../access/session-meter.ts";
import { Sessions } from "../access/sessions.ts";
import { ShareLinks } from "../access/share-links.ts";
import { ShareMeter, shareCalls, shareTiles } from "../access/share-meter.ts";
import { SignIn } from "../access/sign-in.ts";
import { ByteBudget } from "../http/byte-budget.ts";
import { observeAnswer } from "../http/failures.ts";
import { pathAndQuery } from "../http/url.ts";
import { EditTurns } from "./edit-turns.ts";
import { FirstRun } from "./first-run.ts";
import { Geocoder, type GeocoderSettings } from "./geocoder/geocoder.ts";
import { PlaceNames } from "./geocoder/place-names.ts";
import { Mail, type MailSettings } from "./mail/mail.ts";
import { boxOnly, MailBox } from "./mail/mail-box.ts";
import { RequestedLinks } from "./mail/requested-links.ts";
import { answerUnsubscribe } from "./mail-queue/answer-unsubscribe.ts";
import { UnsubscribeTokens, unsubscribePath } from "./mail-queue/unsubscribe-token.ts";
import { OpenId } from "./openid/open-id.ts";
import type { OpenIdSettings } from "./openid/provider.ts";
import { answerPortalPage } from "./pages.ts";
import { ProbeLimits } from "./probe-limit.ts";
import { answerPortalRequest } from "./request.ts";
import { apiPath, type PortalCall, type PortalDeps } from "./route.ts";
import { securityHeaders } from "./security-headers.ts";
import { answerTile, tilesPath } from "./tiles/answer-tile.ts";

type GivenDeps = Pick<PortalDeps, "database" | "api" | "files" | "mapStyles" | "mapTiles" | "observe">;

export interface PortalOptions extends GivenDeps {
  readonly streets?: PortalDeps["streets"];
  readonly geocoder?: GeocoderSettings | null;
  readonly mail?: MailSettings | null;
  readonly publicUrl?: string | null;
  /** How often requested links are mailed. */
  readonly linksTickMs?: number;
  readonly openId?: OpenIdSettings | null;
  readonly maxKeysPerUser?: number;
  readonly ingest?: PortalDeps["ingest"];
  readonly demoHistory?: PortalDeps["demoHistory"] | undefined;
  readonly makesDemos?: boolean;
  readonly signIn?: SignIn;
  readonly clock?: () => number;
}

export interface Portal {
  /** Null for a path that is not the portal's. The address is that of the connection, perhaps of a proxy; `stayOpen` keeps it. */
  readonly answer: (request: Request, peer: () => string, stayOpen?: () => void) => Promise<Response> | null;
}

const root = "/portal";
/** The page that a share link opens. Its secret stands behind `#`, which no browser sends. */
const sharePath = "/share";

/** What people enter is small. One address alone may use half of it. */
const maxHeldBytes = 16 * 1024 * 1024;

/** Assembles the portal. */
export function createPortal(given: PortalOptions): Portal {
  const { clock = Date.now, signIn, geocoder = null, mail = null, publicUrl = null, ...rest } = given;
  const { openId = null, linksTickMs, ...options } = rest;
  const { database, mapStyles, maxKeysPerUser = defaultMaxKeysPerUser, ingest = () => null } = options;
  const { demoHistory = () => null, streets = "configured", makesDemos = false } = options;
  const { observe } = options;
  const sender = mail && new Mail(mail, observe, undefined, new MailBox(database));
  const keptMail = new Mail(boxOnly, observe, undefined, new MailBox(database));
  const hashes = new HashQueue();
  const parts: PortalDeps = {
    ...options,
    maxKeysPerUser,
    ingest,
    demoHistory,
    streets,
    makesDemos,
    placeNames: new PlaceNames(geocoder && new Geocoder(geocoder, observe), options.mapTiles),
    sessions: new Sessions(database),
    signIn: signIn ?? new SignIn(database, verifyPassword, hashes),
    passwordLinks: new PasswordLinks(database, hashes),
    mail: sender,
    keptMail,
    requestedLinks:
      sender && publicUrl !== null
        ? new RequestedLinks({ database, mail: sender, publicUrl, observe }, linksTickMs)
        : null,
    unsubscribeTokens: new UnsubscribeTokens(database),
    publicUrl,
    firstRun: new FirstRun(database, hashes),
    openId: openId && new OpenId(openId, database, observe),
    sessionMeter: new SessionMeter(),
    shares: new ShareLinks(database),
    shareMeter: new ShareMeter(shareCalls),
    shareTileMeter: new ShareMeter(shareTiles),
    editTurns: new EditTurns(database),
    probeLimits: new ProbeLimits(),
    bodies: new ByteBudget(maxHeldBytes),
  };
  const headers = Object.entries(securityHeaders(mapStyles));
  return {
    answer(request, peer, stayOpen = () => {}) {
      // Most requests are not for the portal, and must not pay for it.
      if (!request.url.includes(root) && !request.url.includes(sharePath)) return null;
      const { path, query } = pathAndQuery(request.url);
      if (path !== root && path !== sharePath && !path.startsWith(`${root}/`)) return null;
      const requestId = crypto.randomUUID();
      const address = () => clientAddress(request.headers, peer());
      const call = { requestId, request, path, query, address, stayOpen, now: clock(), clock, routeName: "other" };
      return answer(parts, call, headers);
    },
  };
}

async function answer(
  parts: PortalDeps,
  call: PortalCall,
  headers: readonly (readonly [string, string])[],
): Promise<Response> {
  const started = performance.now();
  const { requestId, request } = call;
  const response = await answerPart(parts, call);
  for (const [name, value] of headers) {
    // A mail that is shown has a policy of its own, which is stricter but for its styles.
    if (!(name === "Content-Security-Policy" && response.headers.has(name))) response.headers.set(name, value);
  }
  if (call.path === sharePath) {
    response.headers.set("X-Robots-Tag", "noindex, nofollow");
    response.headers.set("Referrer-Policy", "no-referrer");
  }
  response.headers.set("X-Request-Id", requestId);
  // Bun adds the date to every answer except these.
  if (request.method === "HEAD") response.headers.set("Date", new Date(call.now).toUTCString());
  const { status } = response;
  observeAnswer(parts.observe, { requestId, route: call.routeName, status, durationMs: performance.now() - started });
  return response;
}

function answerPart(parts: PortalDeps, call: PortalCall): Promise<Response> {
  const { path } = call;
  if (path === apiPath || path.startsWith(`${apiPath}/`)) return answerPortalRequest(parts, call);
  if (path === unsubscribePath && call.request.method === "POST") return answerUnsubscribe(parts, call);
  return path.startsWith(tilesPath) ? answerTile(parts, call) : answerPortalPage(parts, call);
}
