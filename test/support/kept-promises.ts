import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Question, QuestionAnswer } from "./questions.ts";
import { contradictions } from "./recorded-answers.ts";

/** Holds answers to those of a released version, and to its description. Whatever was added since is no difference. */

type Json = Readonly<Record<string, unknown>>;

/** Answers whose values follow from the fleet and the frames alone, and the fields in them that rules may change. */
const unruled: readonly { readonly path: RegExp; readonly ruled: readonly string[] }[] = [
  { path: /^\/v1\/(users|geofences)/, ruled: [] },
  { path: /^\/v1\/devices(\?|$|\/[0-9a-fA-F-]+$)/, ruled: ["odometer_km", "last_position_at"] },
  { path: /^\/v1\/devices\/[0-9a-f-]+\/geofences/, ruled: ["inside"] },
  { path: /^\/v1\/sensors\//, ruled: ["latitude", "longitude", "volume_l"] },
  { path: /^\/v1\/positions\/history.*valid_only=false/, ruled: ["valid", "reject_reason", "discontinuity"] },
];

/** Headers whose values depend on the moment of asking, or on what was asked before. */
const momentary = /^(date|etag|x-request-id|x-ratelimit-(remaining|reset).*|retry-after|content-length|connection)$/;

export class Promises {
  readonly #description: Json;
  readonly #bodies = new Map<string, ValidateFunction | null>();
  readonly #ajv: Ajv2020;

  /** Of the released version: what its `/v1/openapi.json` said. */
  constructor(description: Json) {
    this.#description = description;
    const open = JSON.parse(
      JSON.stringify(description, (name, value) => (name === "additionalProperties" ? undefined : value)),
    );
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(open, "api");
  }

  /** Where an answer breaks what the released version promised by its own. */
  broken(question: Question, recorded: QuestionAnswer, now: QuestionAnswer): string[] {
    const at = `${question.method} ${question.path} as ${question.key}`;
    if (recorded.status !== now.status)
      return [`${at}: was ${recorded.status}, is ${now.status} ${now.text.slice(0, 200)}`];
    const problems = brokenHeaders(question, recorded, now);
    if (recorded.text === "" || now.text === "") {
      if (recorded.text !== now.text) problems.push("has a body where there was none, or none where there was one");
    } else
      problems.push(...this.#brokenBody(question, JSON.parse(recorded.text), JSON.parse(now.text), recorded.status));
    return problems.map((problem) => `${at}: ${problem}`);
  }

  #brokenBody({ path }: Question, recorded: Json, now: Json, status: number): string[] {
    if (status >= 400) return brokenRefusal(recorded, now);
    const problems = contradictions(outline(recorded), outline(now));
    const described = this.#describedBody(path, status);
    // Rows of another shape, with `fields=` or by week, are described in words.
    if (described?.(recorded) && !described(now)) problems.push(this.#ajv.errorsText(described.errors));
    const unchanged = unruled.find((candidate) => candidate.path.test(path));
    if (unchanged !== undefined) {
      const values = (body: Json) =>
        JSON.stringify(body.data, (name, value) => (unchanged.ruled.includes(name) ? undefined : value));
      problems.push(...contradictions(JSON.parse(values(recorded)), JSON.parse(values(now)), "data"));
    }
    return problems.slice(0, 3);
  }

  #describedBody(path: string, status: number): ValidateFunction | null {
    const paths = this.#description.paths as Json;
    const route = Object.keys(paths).find((template) => patternOf(template).test(path.split("?")[0] ?? ""));
    if (route === undefined) return null;
    const key = `${route} ${status}`;
    let body = this.#bodies.get(key);
    if (body === undefined) {
      const place = `/paths/${route.replaceAll("/", "~1")}/get/responses/${status}/content/application~1json/schema`;
      body = this.#ajv.compile({ $ref: `api#${encodeURI(place)}` });
      this.#bodies.set(key, body);
    }
    return body;
  }
}

function patternOf(template: string): RegExp {
  return new RegExp(`^/v1${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
}

function brokenHeaders({ path }: Question, recorded: QuestionAnswer, now: QuestionAnswer): string[] {
  const hasFixedWindow = path.includes("from=") && path.includes("to=");
  const isFree = (name: string) => momentary.test(name) || (name.startsWith("x-window-") && !hasFixedWindow);
  return Object.entries(recorded.headers).flatMap(([name, was]) => {
    const is = now.headers[name];
    if (is === undefined) return [`lacks ${name}`];
    if (isFree(name) || is === was) return [];
    // A cursor names the last row of its page, which rules may change.
    if (name === "link" && withoutCursor(is) === withoutCursor(was)) return [];
    if (name === "vary" && was.split(", ").every((part) => is.split(", ").includes(part))) return [];
    return [`${name} was ${was}, is ${is}`];
  });
}

function withoutCursor(link: string): string {
  return link.replaceAll(/(?<=cursor=)[\w.-]+/g, "");
}

/** The code counts, not the wording. */
function brokenRefusal(recorded: Json, now: Json): string[] {
  const { message: _, ...promised } = recorded.error as Json;
  if (typeof now.request_id !== "string") return ["has no request_id"];
  return contradictions(promised, now.error, "error");
}

/** Health names the program's own version. */
function withoutVersion({ program, ...rest }: Json): Json {
  return { ...rest, isProgramNamed: typeof program === "string" };
}

/** The envelope, without what is in it. */
function outline({ data, next_cursor, ...rest }: Json): Json {
  if (data === undefined) return Object.hasOwn(rest, "openapi") ? {} : withoutVersion(rest);
  return { isList: Array.isArray(data), ...(next_cursor !== undefined && { hasCursorField: true }) };
}
