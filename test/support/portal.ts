import { expect } from "bun:test";
import { HashQueue } from "../../src/access/hash-queue.ts";
import { hashPassword, verifyPassword } from "../../src/access/passwords.ts";
import { SignIn } from "../../src/access/sign-in.ts";
import { taggedBody } from "../../src/http/ready-body.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { PortalFile } from "../../src/portal/bundle.ts";
import type { GeocoderSettings } from "../../src/portal/geocoder/geocoder.ts";
import { knownPortalRequests } from "../../src/portal/known-requests.ts";
import type { MailSettings } from "../../src/portal/mail/mail.ts";
import type { OpenIdSettings } from "../../src/portal/openid/provider.ts";
import { createPortal, type Portal, type PortalOptions } from "../../src/portal/server.ts";
import type { MapTiles } from "../../src/portal/tiles/map-tiles.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import type { ApiUnderTest } from "./api.ts";
import { type ApiWorld, startWorld, stopWorld } from "./api-fleet.ts";
import type { EngineUnderTest, FreshDatabase } from "./engines.ts";
import { keepObservations } from "./known-requests.ts";
import { patienceMs } from "./patience.ts";

export const password = "correct horse";
const origin = "http://odograph.test";

export interface PortalResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes
  readonly body: any;
  readonly text: string;
}

export interface PortalUnderTest {
  readonly portal: Portal;
  readonly observations: Observation[];
  /** The portal's clock: the real one, so far ahead, and a step further with each call. */
  readonly time: { aheadMs: number; stepMs: number };
  /** How often a password was compared with a hash. */
  readonly verified: { count: number };
  /** A browser that is not signed in. */
  browser(address?: string): Browser;
  /** One that is. */
  signIn(email: string): Promise<Browser>;
}

interface NodeOptions {
  readonly mapStyle?: string;
  readonly geocoder?: GeocoderSettings;
  readonly mapStyleDark?: string;
  readonly mail?: MailSettings;
  readonly publicUrl?: string;
  readonly linksTickMs?: number;
  readonly mapTiles?: MapTiles;
  readonly streets?: PortalOptions["streets"];
  readonly maxKeysPerUser?: number;
  readonly openId?: OpenIdSettings;
  readonly makesDemos?: boolean;
  /** Without slow hashes, for tests of how often, not of what. */
  readonly isQuick?: boolean;
  /** Instead of the real comparison and the usual queue, for tests of who waits for whom. */
  readonly verify?: typeof verifyPassword;
  readonly hashes?: HashQueue;
}

export interface PortalWorld extends ApiWorld, PortalUnderTest {
  /** Another node on the same store, which remembers no attempts. */
  node(options?: NodeOptions): PortalUnderTest;
}

/** The portal over the little world in which everybody has the same password, one for all tests of the block. */
export function sharedPortal(engine: EngineUnderTest, options: NodeOptions = {}): () => PortalWorld {
  return engine.shared((store) => startPortalWorld(store, options), stopWorld);
}

async function startPortalWorld(store: FreshDatabase, shared: NodeOptions): Promise<PortalWorld> {
  const world = await startWorld(store);
  const hash = await hashPassword(password);
  await store.database.transaction((tx) => tx.run(sql`update users set password_hash = ${hash}`));
  const node: PortalWorld["node"] = (options = {}) => startPortal(store.database, world, { ...shared, ...options });
  return { ...world, ...node(), node };
}

/** The portal over any other store, for everybody with the same password. */
export async function portalOver(
  database: Database,
  api: ApiUnderTest,
  options: NodeOptions = {},
): Promise<PortalUnderTest> {
  const hash = await hashPassword(password);
  await database.transaction((tx) => tx.run(sql`update users set password_hash = ${hash}`));
  return startPortal(database, { api }, { isQuick: true, ...options });
}

function startPortal(database: Database, { api }: Pick<ApiWorld, "api">, options: NodeOptions): PortalUnderTest {
  const { mapStyle = null, mapStyleDark = null, mapTiles = null, geocoder = null, maxKeysPerUser, isQuick } = options;
  const observations: Observation[] = [];
  const time = { aheadMs: 0, stepMs: 0 };
  const verified = { count: 0 };
  const { verify = isQuick ? async (given) => given === password : verifyPassword, hashes = patientHashes() } = options;
  const count: typeof verify = (given, hash) => {
    verified.count++;
    return verify(given, hash);
  };
  const signIn = new SignIn(database, count, hashes);
  const clock = () => {
    time.aheadMs += time.stepMs;
    return Date.now() + time.aheadMs;
  };
  const page = file("index.html", "text/html; charset=utf-8", `<!doctype html>${"<p>portal</p>".repeat(200)}`);
  const script = file("main-1a2b.js", "text/javascript; charset=utf-8", "export {};".repeat(200));
  const files = async () => ({ page, assets: new Map([[script.name, script]]) });
  const observe = keepObservations(knownPortalRequests, observations);
  const portal = createPortal({
    database,
    api: api.api,
    files,
    mapStyles: { light: mapStyle, dark: mapStyleDark },
    mapTiles,
    streets: options.streets ?? "configured",
    geocoder,
    mail: options.mail ?? null,
    publicUrl: options.publicUrl ?? null,
    linksTickMs: options.linksTickMs ?? 20,
    openId: options.openId ?? null,
    makesDemos: options.makesDemos ?? false,
    ...(maxKeysPerUser === undefined ? {} : { maxKeysPerUser }),
    observe,
    clock,
    signIn,
  });
  const browser = (address = "192.0.2.1") => new Browser(portal, address);
  return {
    portal,
    observations,
    time,
    verified,
    browser,
    async signIn(email) {
      const someone = browser();
      expect((await someone.post("/session", { email, password })).status).toBe(200);
      return someone;
    },
  };
}

/** Nobody is refused because this machine computes something else: who is, is for `hash-queue.test.ts` and for those who ask for it. */
function patientHashes(): HashQueue {
  return new HashQueue({ atOnce: 2, waitMs: patienceMs, knownWaitMs: patienceMs, hashMs: patienceMs });
}

function file(name: string, contentType: string, text: string): PortalFile {
  return { name, contentType, body: taggedBody(new TextEncoder().encode(text)) };
}

/** Keeps cookies as a browser does, and sends what the portal's page sends. */
export class Browser {
  readonly #portal: Portal;
  readonly #address: string;
  /** That of the session. */
  cookie: string | null = null;
  /** The one that proves that someone has signed in with this browser before. */
  knownCookie: string | null = null;
  /** The one of a sign-in at a provider that it has begun. */
  signInCookie: string | null = null;
  /** Their own session, while they look at a made-up fleet. */
  homeCookie: string | null = null;

  /** The secret of a share link that its page was opened with. */
  share: string | null = null;

  constructor(portal: Portal, address: string) {
    this.#portal = portal;
    this.#address = address;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<PortalResponse> {
    return this.send(`/portal/api${path}`, { headers });
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<PortalResponse> {
    return this.change("POST", path, body, headers);
  }

  change(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<PortalResponse> {
    const own = { "X-Odograph-Portal": "1", "Sec-Fetch-Site": "same-origin", Origin: origin };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.send(`/portal/api${path}`, { method, headers: { ...own, ...headers }, ...sent });
  }

  /** Bytes as they are, as the page sends a part of a file. */
  sendBytes(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<PortalResponse> {
    const own = { "X-Odograph-Portal": "1", "Sec-Fetch-Site": "same-origin", Origin: origin };
    return this.send(`/portal/api${path}`, { method: "PUT", headers: own, body: bytes });
  }

  /** Any request, with the cookie if there is one. Every answer is held against what all of them have in common. */
  async send(path: string, init: RequestInit): Promise<PortalResponse> {
    const headers = new Headers(init.headers);
    const cookies = [this.cookie, this.knownCookie, this.signInCookie, this.homeCookie].filter(
      (cookie) => cookie !== null,
    );
    if (cookies.length > 0) headers.append("Cookie", cookies.join("; "));
    if (this.share !== null) headers.set("X-Odograph-Share", this.share);
    const request = new Request(origin + path, { ...init, headers });
    const response = await this.#portal.answer(request, () => this.#address);
    if (response === null) throw new Error(`${path} is not the portal's`);
    for (const cookie of response.headers.getSetCookie()) {
      const pair = cookie.split(";")[0] ?? null;
      if (cookie.startsWith("odograph_browser=")) this.knownCookie = pair;
      else if (cookie.startsWith("odograph_sign_in=")) this.signInCookie = pair;
      else if (cookie.startsWith("odograph_home=")) this.homeCookie = pair;
      else this.cookie = pair;
    }
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") && text !== "";
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null, text };
    holdToRules(path, answer);
    return answer;
  }
}

/** Whatever a test is about. */
function holdToRules(path: string, { status, headers, body }: PortalResponse): void {
  expect(headers.get("Access-Control-Allow-Origin"), path).toBeNull();
  const policy = headers.get("Content-Security-Policy") ?? "";
  // A mail that is shown has styles of its own; nothing else in it works.
  const isMail = /^\/portal\/api\/kept-mails\/[^/]+\/page$/.test(path) && status === 200;
  expect(policy, path).toContain(
    isMail
      ? "default-src 'none'; style-src 'unsafe-inline';"
      : "default-src 'none'; script-src 'self'; style-src 'self';",
  );
  if (isMail) expect(policy).toContain("sandbox allow-popups allow-popups-to-escape-sandbox");
  else expect(policy, path).not.toContain("unsafe");
  expect(headers.get("X-Frame-Options"), path).toBe("DENY");
  expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
  expect(headers.get("Referrer-Policy"), path).toBe(path === "/share" ? "no-referrer" : "same-origin");
  expect(headers.get("Permissions-Policy"), path).toContain("geolocation=()");
  expect(headers.get("X-Request-Id"), path).not.toBeNull();
  if (body !== null) expect(headers.get("Content-Type"), path).toBe("application/json");
  if (status < 400 || body === null) return;
  expect(Object.keys(body), path).toEqual(["error", "request_id"]);
  expect(body.request_id).toBe(headers.get("X-Request-Id"));
  expect([typeof body.error.code, typeof body.error.message], path).toEqual(["string", "string"]);
}
