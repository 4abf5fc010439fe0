import type { SharedClock } from "./clock.ts";
import type { WireAnswer, WireRequest } from "./connection.ts";
import { changedLines, contentOf, type Difference, differenceOf, shapeOf } from "./difference.ts";
import type { PlannedRequest } from "./requests.ts";
import type { RunResult, Version } from "./version.ts";

/** Shapes of differences that are shown. The rest is only counted. */
const maxShown = 20;

/** On a busy machine, what is written behind may come late. */
const maxAttempts = 10;
const attemptPauseMs = 500;

/** Differences of one shape, of which the first is shown. */
interface Found {
  readonly what: string;
  readonly difference: Difference;
  readonly routes: Set<string>;
  count: number;
}

/** Two versions that are asked the same in the same order, and what became of it. */
export class Comparison {
  readonly #versions: readonly [before: Version, after: Version];
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #found = new Map<string, Found>();
  readonly #differences = { answer: 0, message: 0 };
  compared = 0;

  constructor(
    before: Version,
    after: Version,
    readonly clock: SharedClock,
  ) {
    this.#versions = [before, after];
  }

  get differences(): Readonly<Record<Difference["kind"], number>> {
    return this.#differences;
  }

  /** Runs a command of both; what it prints is compared, too. */
  async run(words: readonly string[], input = "", expectedCode: number | null = 0): Promise<RunResult> {
    const [before, after] = await Promise.all(this.#versions.map((version) => version.run(words, input)));
    if (!before || !after) throw new Error("there are two versions");
    const what = `odograph ${words.join(" ")}`;
    if (expectedCode !== null && before.code !== expectedCode) throw new Error(`${what}: ${before.stderr}`);
    this.#count(`odograph ${words[0]}`, `exit ${before.code}`);
    const lines = changedLines(printed(before), printed(after));
    const isOnlyMessage = before.code === after.code && before.stdout === after.stdout;
    if (lines.length > 0) {
      this.#note(`odograph ${words[0]}`, what, { kind: isOnlyMessage ? "message" : "answer", lines });
    }
    return before;
  }

  /** Sends to the API of both, and gives the answer of the version before. */
  async ask(planned: PlannedRequest): Promise<WireAnswer> {
    const before = await this.#exchange("api", planned);
    planned.learn?.(before);
    return before;
  }

  /** The same for what is written behind: asked again, for a while, as long as the answers differ. */
  async askSettled(planned: PlannedRequest): Promise<void> {
    for (let attempt = 1; attempt < maxAttempts; attempt++) {
      if ((await this.#both("api", planned)).difference === null) return;
      await Bun.sleep(attemptPauseMs);
    }
    await this.ask(planned);
  }

  /** Sends to the ingest port of both. */
  async send(request: WireRequest, comparable?: PlannedRequest["comparable"]): Promise<void> {
    const label = `ingest ${request.method} ${request.target.split("?")[0]}`;
    await this.#exchange("ingest", { label, request, ...(comparable && { comparable }) });
  }

  async #exchange(side: "api" | "ingest", planned: PlannedRequest): Promise<WireAnswer> {
    const { before, difference } = await this.#both(side, planned);
    if (difference !== null) this.#note(planned.label, requestText(planned.request), difference);
    return before;
  }

  async #both(
    side: "api" | "ingest",
    { label, request, comparable = (answer) => answer }: PlannedRequest,
  ): Promise<{ readonly before: WireAnswer; readonly difference: Difference | null }> {
    // No two requests have one moment, so what is drawn for one does not depend on how often the one before drew.
    await this.clock.moveBy(1);
    const [before, after] = await Promise.all(this.#versions.map((version) => version[side]?.exchange(request)));
    if (!before || !after) throw new Error("a version is not running");
    this.compared++;
    this.#count(label, `${before.status}${isEmptyList(before) ? " empty" : ""}`);
    return { before, difference: differenceOf(comparable(before), comparable(after)) };
  }

  /** How often each route gave each status, as lines of a table. */
  countLines(): string[] {
    const rows = [...this.#counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const width = Math.max(...rows.map(([label]) => label.length));
    return rows.map(([label, statuses]) => {
      const counts = [...statuses].toSorted(([one], [other]) => (one < other ? -1 : 1));
      return `${label.padEnd(width)}  ${counts.map(([status, count]) => `${status}: ${count}`).join(", ")}`;
    });
  }

  /** The first of each shape, the most frequent shapes first. */
  differenceLines(): string[] {
    const found = [...this.#found.values()].toSorted((one, other) => other.count - one.count);
    return found
      .slice(0, maxShown)
      .flatMap(({ what, difference: { kind, lines }, routes, count }) => [
        "",
        `${kind === "message" ? "Words differ" : "DIFFERENT"}, ${count} times, in ${named([...routes])}. The first:`,
        what,
        ...lines.map((line) => `  ${line}`),
      ]);
  }

  #count(label: string, status: string): void {
    const statuses = this.#counts.get(label) ?? new Map<string, number>();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    this.#counts.set(label, statuses);
  }

  #note(route: string, what: string, difference: Difference): void {
    this.#differences[difference.kind]++;
    const shape = shapeOf(difference);
    const found = this.#found.get(shape) ?? { what, difference, routes: new Set<string>(), count: 0 };
    found.count++;
    found.routes.add(route);
    this.#found.set(shape, found);
  }
}

function named(routes: readonly string[]): string {
  const some = routes.slice(0, 4).join(", ");
  return routes.length > 4 ? `${some} and ${routes.length - 4} more` : some;
}

/** Without progress, which is told every few seconds of a long step. */
function printed({ code, stdout, stderr }: RunResult): string[] {
  return `exit code ${code}\n${stdout}\n${stderr}`.split("\n").filter((line) => !/: \d+ %$/.test(line));
}

/** So that the counts show whether the lists had anything in them. */
function isEmptyList(answer: WireAnswer): boolean {
  return answer.status === 200 && contentOf(answer, answer.body).toString("latin1", 0, 11) === '{"data":[],';
}

function requestText({ method, target, headers, body }: WireRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`);
  const text = typeof body === "string" && body !== "" ? [`    ${body.slice(0, 500)}`] : [];
  return [`${method} ${target}`, ...lines, ...text].join("\n");
}
