import type { Chance } from "./chance.ts";
import type { WireAnswer, WireRequest } from "./connection.ts";
import { contentOf } from "./difference.ts";
import type { DescribedParameter, DescribedSchema, Values } from "./values.ts";

export interface PlannedRequest {
  /** The route, for the counts. */
  readonly label: string;
  readonly request: WireRequest;
  /** What can be compared of the answer, where that is not all of it. */
  readonly comparable?: (answer: WireAnswer) => WireAnswer;
  /** What the answer tells for requests to come. */
  readonly learn?: (answer: WireAnswer) => void;
}

/** As much of an OpenAPI document as is read here. */
export interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly DescribedParameter[] }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, DescribedSchema>> };
}

interface Route {
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
}

interface AskedBefore {
  readonly label: string;
  readonly target: string;
  readonly key: string;
  readonly etag: string | undefined;
}

const prefix = "/v1";
const maxRemembered = 300;
const maxPages = 30;
const encodings = [
  "gzip",
  "zstd",
  "gzip, deflate, br, zstd",
  "gzip;q=0.5, zstd;q=0.1",
  "identity",
  "*;q=0",
  "br",
  "gzip;q=x",
];
const otherPaths = [
  "/",
  "/docs",
  "/docs/",
  "/docs/reference.css",
  "/docs/reference.js",
  "/v1",
  "/v1/",
  "/v1/nothing",
  "/v2/devices",
  "/v1/devices/",
  "/v1//devices",
  "/v1/devices/x/y",
  "/V1/devices",
  "/v1/health",
  "/v1/openapi.json",
  "/v1/%64evices",
  "/favicon.ico",
];
const methods = ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PURGE"];

/** Requests to the API, made from its own description: most of them right, some wrong in every way that a client can be. */
export class RandomRequests {
  /** The more can be asked of a route, the more often it is. */
  readonly #routes: readonly (readonly [weight: number, Route])[];
  readonly #before: AskedBefore[] = [];
  readonly #next: PlannedRequest[] = [];
  /** Ids of alerts that were seen. */
  readonly alerts: string[] = [];

  constructor(
    readonly chance: Chance,
    readonly values: Values,
    description: Description,
    readonly keys: readonly (readonly [weight: number, secret: string])[],
  ) {
    const { schemas } = description.components;
    const inFull = (parameter: DescribedParameter) => {
      const name = parameter.schema.$ref?.slice("#/components/schemas/".length);
      return name === undefined ? parameter : { ...parameter, schema: schemas[name] ?? {} };
    };
    this.#routes = Object.entries(description.paths).map(([path, { get }]) => {
      const parameters = (get?.parameters ?? []).map(inFull);
      return [0.5 + parameters.length, { path, parameters }];
    });
  }

  next(): PlannedRequest {
    const { chance } = this;
    const waiting = this.#next.shift();
    if (waiting) return waiting;
    if (chance.is(0.03)) return this.#elsewhere();
    const again = this.#before.length > 20 && chance.is(0.25) ? chance.of(this.#before) : null;
    const { label, target } = again ?? this.#target();
    const key = again?.key ?? chance.weighted(this.keys);
    return this.#planned(label, target, key, this.#method(), this.#tagHeaders(again?.etag));
  }

  /** A target without its prefix, for those who ask in another way. */
  data(): { readonly label: string; readonly target: string } {
    const { label, target } = this.#target();
    return { label, target: target.slice(prefix.length) };
  }

  #planned(
    label: string,
    target: string,
    key: string,
    method: string,
    headers: Record<string, string> = {},
    page = 1,
  ): PlannedRequest {
    const { chance } = this;
    const encoding = chance.is(0.4) ? { "Accept-Encoding": chance.of(encodings) } : {};
    const request = { method, target, headers: { ...this.#credentials(key), ...encoding, ...headers } };
    return {
      label: `${method} ${label}`,
      request,
      learn: (answer) => this.#learn(label, target, key, method, page, answer),
    };
  }

  #target(): { readonly label: string; readonly target: string } {
    const { chance, values } = this;
    const { path, parameters } = chance.weighted(this.#routes);
    const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
      values.of(parameters.find((parameter) => parameter.name === name) ?? { name, in: "path", schema: {} }),
    );
    const { from, to } = values.window();
    const query: string[] = [];
    const isWindowed = chance.is(0.7);
    // A device is named in one way, unless by mistake.
    const namesDevice = chance.of(["device_id", "imei"]);
    for (const parameter of parameters) {
      const { name } = parameter;
      if (parameter.in !== "query" || name === "cursor") continue;
      const isTime = name === "from" || name === "to";
      const isOther = (name === "device_id" || name === "imei") && name !== namesDevice;
      const share = isTime
        ? isWindowed
          ? 0.98
          : 0.05
        : parameter.required
          ? 0.97
          : isOther
            ? 0.03
            : name === namesDevice
              ? 0.7
              : name === "format"
                ? 0.1
                : 0.4;
      if (!chance.is(share)) continue;
      query.push(`${name}=${isTime && chance.is(0.95) ? (name === "from" ? from : to) : values.of(parameter)}`);
    }
    if (chance.is(0.03))
      query.push(chance.of(["unknown=1", "limit=3&limit=4", "=", "&&", "cursor=x", "cursor=", "from", "%zz=1"]));
    return { label: `${prefix}${path}`, target: `${prefix}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}` };
  }

  #elsewhere(): PlannedRequest {
    const target = this.chance.of(otherPaths);
    return this.#planned(target, target, this.chance.weighted(this.keys), this.#method());
  }

  #method(): string {
    return this.chance.weighted([
      [90, "GET"],
      [6, "HEAD"],
      [2, this.chance.of(methods)],
    ]);
  }

  #credentials(key: string): Record<string, string> {
    const { chance } = this;
    const address = chance.is(0.5)
      ? { "X-Forwarded-For": `10.0.${chance.between(0, 3)}.${chance.between(1, 99)}` }
      : {};
    const kind = chance.weighted([
      [45, () => ({ "X-API-Key": key })],
      [45, () => ({ Authorization: `${chance.of(["Bearer", "bearer"])} ${key}` })],
      [1, () => ({})],
      [1, () => ({ "X-API-Key": `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}` })],
      [1, () => ({ "X-API-Key": key, Authorization: `Bearer ${chance.weighted(this.keys)}` })],
      [1, () => ({ Authorization: chance.of(["Bearer", "Basic eDp5", "Bearer odo_short", `Token ${key}`]) })],
    ]);
    return { ...kind(), ...address };
  }

  #tagHeaders(etag: string | undefined): Record<string, string> {
    const { chance } = this;
    if (etag === undefined)
      return chance.is(0.02) ? { "If-None-Match": chance.of(["*", '"x"', "junk", 'W/"x", "y"']) } : {};
    if (chance.is(0.2)) return {};
    const bare = etag.replace(/^W\//, "");
    return { "If-None-Match": chance.of([etag, etag, etag, bare, `W/${bare}`, `"x", ${etag}`, "*"]) };
  }

  #learn(label: string, target: string, key: string, method: string, page: number, answer: WireAnswer): void {
    if (answer.status !== 200 || method !== "GET") return;
    const etag = /^etag: (.*)$/im.exec(answer.lines.join("\n"))?.[1];
    this.#before[
      this.#before.length < maxRemembered ? this.#before.length : this.chance.between(0, maxRemembered - 1)
    ] = { label, target, key, etag };
    if (!label.startsWith(`${prefix}/`) || label.includes("openapi") || answer.body.length > 500_000) return;
    if (!answer.lines.some((line) => /^content-type: application\/json/i.test(line))) return;
    const { data, next_cursor: cursor } = JSON.parse(contentOf(answer, answer.body).toString("utf8"));
    if (label === `${prefix}/alerts` && this.alerts.length < 500)
      this.alerts.push(...data.map(({ alert_id }: { alert_id: string }) => alert_id));
    if (typeof cursor !== "string" || page >= maxPages || !this.chance.is(page === 1 ? 0.4 : 0.95)) return;
    this.#next.push(this.#nextPage(label, target, key, page, cursor));
  }

  /** Beside the parameters of the first page, without them, and now and then with something that does not belong to it. */
  #nextPage(label: string, target: string, key: string, page: number, cursor: string): PlannedRequest {
    const { chance } = this;
    const [path = "", query = ""] = target.split("?");
    const rest = query.split("&").filter((part) => part !== "" && !part.startsWith("cursor="));
    const limit = rest.filter((part) => part.startsWith("limit="));
    const beside = chance.weighted([
      [6, rest],
      [4, limit],
      [1, []],
      [1, [...rest, "from=2026-01-01"]],
    ]);
    const written = chance.weighted([
      [40, cursor],
      [1, `${cursor}x`],
      [1, `x${cursor.slice(1)}`],
    ]);
    const viewer = chance.is(0.97) ? key : chance.weighted(this.keys);
    return this.#planned(label, `${path}?${[...beside, `cursor=${written}`].join("&")}`, viewer, "GET", {}, page + 1);
  }
}
