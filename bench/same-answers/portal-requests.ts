import type { Chance } from "./chance.ts";
import type { WireAnswer } from "./connection.ts";
import type { ComparedFleet, Person } from "./fleet.ts";
import type { PlannedRequest, RandomRequests } from "./requests.ts";

/** Whoever is signed in, by the cookie. */
export interface PortalSession {
  readonly cookie: string;
  readonly person: Person;
}

const own = { "X-Odograph-Portal": "1", Origin: "http://odograph.test" };
const json = { "Content-Type": "application/json" };
const api = "/portal/api";

export function signInRequest({ email, password }: Person): PlannedRequest {
  const request = {
    method: "POST",
    target: `${api}/session`,
    headers: { ...own, ...json },
    body: JSON.stringify({ email, password }),
  };
  return { label: `POST ${api}/session`, request };
}

/** The cookies that a sign-in gave, as a browser sends them back. */
export function cookieOf({ lines }: WireAnswer): string {
  return lines.flatMap((line) => /^set-cookie: ([^;]+)/i.exec(line)?.[1] ?? []).join("; ");
}

export function createKeyRequest({ cookie }: PortalSession, key: object): PlannedRequest {
  return {
    label: `POST ${api}/keys`,
    request: {
      method: "POST",
      target: `${api}/keys`,
      headers: { ...own, ...json, Cookie: cookie },
      body: JSON.stringify(key),
    },
  };
}

/** What is counted in memory and written behind: to be asked only a while after the last request. */
export function settledRequests({ cookie }: PortalSession): PlannedRequest[] {
  return [`${api}/keys`, `${api}/usage`, `${api}/usage?days=3`, `${api}/usage?days=0`].map((target) => ({
    label: `GET ${target.split("?")[0]}`,
    request: { method: "GET", target, headers: { ...own, Cookie: cookie } },
  }));
}

/** The page's own scripts may change without any change of an answer; the names of their files do so, too. */
export const portalPage: PlannedRequest = {
  label: "GET /portal",
  request: { method: "GET", target: "/portal", headers: {} },
  comparable: (answer) => ({
    ...answer,
    lines: answer.lines.filter((line) => !/^(?:etag|content-length):/i.test(line)),
    body: Buffer.from(answer.body.toString().replaceAll(/assets\/[\w.-]+/g, "assets/…")),
  }),
};

/** Requests to the portal, with a session that works and without. */
export class PortalRequests {
  /** Keys that were made here. Nobody calls with them, so what is told of their use never changes. */
  readonly #keys: string[] = [];

  constructor(
    readonly chance: Chance,
    readonly fleet: ComparedFleet,
    readonly sessions: readonly PortalSession[],
    readonly requests: RandomRequests,
  ) {}

  next(): PlannedRequest {
    const { chance } = this;
    return chance.weighted([
      [60, () => this.#data()],
      [6, () => this.#get("/session")],
      [4, () => this.#get("/scopes")],
      [8, () => this.#get("/users")],
      [8, () => this.#alert()],
      [3, () => this.#createKey()],
      [2, () => this.#changeKey()],
      [2, () => this.#assign()],
      [0.5, () => this.#signIn()],
      [0.3, () => this.#changePassword()],
      [3, () => this.#elsewhere()],
    ])();
  }

  #data(): PlannedRequest {
    const { label, target } = this.requests.data();
    const planned = this.#get(`/data${target}`, this.chance.is(0.3) ? { "Accept-Encoding": "gzip" } : {});
    return { ...planned, label: `GET ${api}/data ${label}` };
  }

  #alert(): PlannedRequest {
    const { chance } = this;
    const id =
      chance.is(0.9) && this.requests.alerts.length > 0
        ? chance.of(this.requests.alerts)
        : chance.of(["x", "00000000-0000-4000-8000-000000000000"]);
    return chance.is(0.5)
      ? this.#send("POST", `/alerts/${id}/acknowledge`, "", "/alerts/{alert_id}/acknowledge")
      : { ...this.#get(`/alerts/${id}/acknowledgement`), label: `GET ${api}/alerts/{alert_id}/acknowledgement` };
  }

  #createKey(): PlannedRequest {
    const { chance } = this;
    const key = {
      name: chance.of(["made in the portal", "", "x".repeat(300)]),
      scopes: chance.of([["devices:read"], [], ["everything"], "all"]),
      expires_at: chance.of([null, "2020-01-01", "2030-01-01T00:00:00Z", "soon"]),
      per_second: chance.of([null, 5, 0, 100_000_000]),
    };
    const right = { name: `key ${chance.between(1, 1_000_000)}`, scopes: ["devices:read", "trips:read"] };
    const planned = this.#send("POST", "/keys", JSON.stringify(chance.is(0.5) ? right : key), "/keys");
    return {
      ...planned,
      learn: ({ status, body }) => {
        if (status === 201) this.#keys.push(JSON.parse(body.toString()).data.key_id ?? "");
      },
    };
  }

  #changeKey(): PlannedRequest {
    const { chance } = this;
    const id = this.#keys.length > 0 && chance.is(0.9) ? chance.of(this.#keys) : "00000000-0000-4000-8000-000000000000";
    return chance.is(0.5)
      ? this.#send(
          "POST",
          `/keys/${id}/rotate`,
          JSON.stringify({ overlap_hours: chance.of([0, 1, 24, 1_000, "x"]) }),
          "/keys/{key_id}/rotate",
        )
      : this.#send("POST", `/keys/${id}/revoke`, "", "/keys/{key_id}/revoke");
  }

  /** Changes what a sub-account sees. */
  #assign(): PlannedRequest {
    const { chance, fleet } = this;
    const some = () => Array.from({ length: chance.between(0, 4) }, () => chance.of(fleet.devices.slice(0, -3)).id);
    const body = JSON.stringify(
      chance.is(0.9)
        ? { begins: some(), ends: some() }
        : chance.of<unknown>([{}, { begins: ["x"] }, { begins: [fleet.devices.at(-1)?.id], ends: [] }, 5]),
    );
    const route = "/fleet/users/{user_id}/vehicles";
    return this.#send("PUT", route.replace("{user_id}", chance.of(fleet.users)), body, route);
  }

  #signIn(): PlannedRequest {
    const { chance } = this;
    const { person } = chance.of(this.sessions);
    return signInRequest(
      chance.is(0.3) ? person : { email: chance.of([person.email, "nobody@rival.example", ""]), password: "wrong" },
    );
  }

  #changePassword(): PlannedRequest {
    const passwords = this.chance.of<unknown>([
      { current_password: "wrong", new_password: "a new one of ours" },
      { current_password: "x", new_password: "short" },
      {},
    ]);
    return this.#send("POST", "/password", JSON.stringify(passwords), "/password");
  }

  #elsewhere(): PlannedRequest {
    const { chance } = this;
    const target = chance.of([
      `${api}/nothing`,
      `${api}`,
      "/portal/assets/nothing.js",
      "/portal/..",
      "/portalx",
      `${api}/session/x`,
      `${api}/data/`,
      `${api}/data/health`,
    ]);
    const method = chance.of(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);
    return { label: `${method} ${target}`, request: { method, target, headers: this.#headers() } };
  }

  #get(path: string, headers: Record<string, string> = {}): PlannedRequest {
    const method = this.chance.is(0.04) ? "HEAD" : "GET";
    return {
      label: `${method} ${api}${path}`,
      request: { method, target: `${api}${path}`, headers: { ...this.#headers(), ...headers } },
    };
  }

  #send(method: string, path: string, body: string, route: string): PlannedRequest {
    return {
      label: `${method} ${api}${route}`,
      request: { method, target: `${api}${path}`, headers: { ...this.#headers(), ...json }, body },
    };
  }

  #headers(): Record<string, string> {
    const { chance } = this;
    const Cookie = chance.of(this.sessions).cookie;
    return chance.weighted<() => Record<string, string>>([
      [30, () => ({ ...own, Cookie })],
      [1, () => ({ Cookie })],
      [1, () => ({ ...own })],
      [1, () => ({ ...own, Cookie: Cookie.replace(/=\w{4}/, "=AAAA") })],
      [1, () => ({ ...own, Origin: "https://elsewhere.example", Cookie })],
      [1, () => ({ ...own, "Sec-Fetch-Site": chance.of(["cross-site", "same-origin"]), Cookie })],
    ])();
  }
}
