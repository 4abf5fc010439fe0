import type { WireAnswer, WireRequest } from "./connection.ts";
import { changedLines, contentOf, type Difference, differenceOf } from "./difference.ts";
import type { PlannedRequest } from "./requests.ts";
import type { RunResult, Version } from "./version.ts";

/** What is shown of what differs. The rest is only counted. */
const maxShown = 20;

interface Found extends Difference {
  readonly what: string;
}

/** Two versions that are asked the same in the same order, and what became of it. */
export class Comparison {
  readonly #versions: readonly [before: Version, after: Version];
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #found: Found[] = [];
  readonly #differences = { answer: 0, message: 0 };
  compared = 0;

  constructor(before: Version, after: Version) {
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
    if (lines.length > 0) this.#note({ what, kind: isOnlyMessage ? "message" : "answer", lines });
    return before;
  }

  /** Sends to the API of both, and gives the answer of the version before. */
  async ask(planned: PlannedRequest): Promise<WireAnswer> {
    const before = await this.#exchange("api", planned);
    planned.learn?.(before);
    return before;
  }

  /** Sends to the ingest port of both. */
  async send(request: WireRequest, comparable?: PlannedRequest["comparable"]): Promise<void> {
    const label = `ingest ${request.method} ${request.target.split("?")[0]}`;
    await this.#exchange("ingest", { label, request, ...(comparable && { comparable }) });
  }

  async #exchange(side: "api" | "ingest", planned: PlannedRequest): Promise<WireAnswer> {
    const { label, request, comparable = (answer) => answer } = planned;
    const [before, after] = await Promise.all(this.#versions.map((version) => version[side]?.exchange(request)));
    if (!before || !after) throw new Error("a version is not running");
    this.compared++;
    this.#count(label, `${before.status}${isEmptyList(before) ? " empty" : ""}`);
    const difference = differenceOf(comparable(before), comparable(after));
    if (difference !== null) this.#note({ ...difference, what: requestText(request) });
    return before;
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

  differenceLines(): string[] {
    return this.#found.flatMap(({ what, kind, lines }) => [
      "",
      kind === "message" ? `${what}  (only the message differs)` : what,
      ...lines.map((line) => `  ${line}`),
    ]);
  }

  #count(label: string, status: string): void {
    const statuses = this.#counts.get(label) ?? new Map<string, number>();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    this.#counts.set(label, statuses);
  }

  #note(found: Found): void {
    this.#differences[found.kind]++;
    // The same words in the place of the same words are shown once.
    const isKnown = found.kind === "message" && this.#found.some(({ lines }) => lines.join() === found.lines.join());
    const shown = this.#found.filter(({ kind }) => kind === found.kind).length;
    if (!isKnown && shown < maxShown) this.#found.push(found);
  }
}

function printed({ code, stdout, stderr }: RunResult): string[] {
  return `exit code ${code}\n${stdout}\n${stderr}`.split("\n");
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
