export interface SearchEntry {
  readonly kind: "operation" | "parameter" | "field" | "header" | "error" | "scope" | "guide" | "page";
  /** What it is called: `max_speed_kmh`, `List trips`. */
  readonly name: string;
  /** The operation or the section that it belongs to. */
  readonly context: string;
  /** Of the operation; empty in the guide. */
  readonly path: string;
  readonly text: string;
}

export interface SearchResult<Item extends SearchEntry> {
  readonly entry: Item;
  /** How many others say the same elsewhere. */
  readonly others: number;
}

/** A word that names an operation finds the operation first, not its fields. */
const weightOf: Readonly<Record<SearchEntry["kind"], number>> = {
  operation: 9,
  page: 9,
  error: 6,
  field: 4,
  scope: 3,
  header: 3,
  parameter: 3,
  guide: 2,
};

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The entries in which every word occurs, the best first. Equal ones of several operations are one result. */
export function search<Item extends SearchEntry>(entries: readonly Item[], query: string): SearchResult<Item>[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    // Sorting is stable: equally good ones stay in the order of the page.
    .sort((left, right) => right.score - left.score);
  const groups = Map.groupBy(scored, ({ entry }) => `${entry.kind} ${entry.name}\n${entry.text}`);
  return [...groups.values()].flatMap(([best, ...others]) =>
    best ? [{ entry: best.entry, others: others.length }] : [],
  );
}

/** 0: not found. A word in the context alone narrows the search, but finds nothing by itself. */
function scoreOf(entry: SearchEntry, words: readonly string[]): number {
  const { kind, name } = entry;
  const { inName, inText, inContext } = lowered(entry);
  let score = 0;
  let isFound = false;
  for (const word of words) {
    const own = inName === word ? 60 : 3 * placeScore(inName, word) + placeScore(inText, word);
    if (own === 0 && !inContext.includes(word)) return 0;
    if (own > 0) isFound = true;
    score += own > 0 ? own : 1;
  }
  if (words.length > 1 && inText.includes(words.join(" "))) score += 20;
  // A field inside another one, as in a change, comes after the same field by itself.
  const depth = name.split(".").length - 1;
  return isFound ? Math.max(score + weightOf[kind] - 3 * depth, 1) : 0;
}

interface Lowered {
  readonly inName: string;
  readonly inText: string;
  readonly inContext: string;
}

const loweredOf = new WeakMap<SearchEntry, Lowered>();

/** In small letters, made once: entries are searched again and again. */
function lowered(entry: SearchEntry): Lowered {
  const before = loweredOf.get(entry);
  if (before) return before;
  const { kind, name, context, path, text } = entry;
  const made = {
    // An operation is called by its path, too.
    inName: (kind === "operation" ? `${name} ${path}` : name).toLowerCase(),
    inText: text.toLowerCase(),
    inContext: `${context} ${path}`.toLowerCase(),
  };
  loweredOf.set(entry, made);
  return made;
}

/** The beginning of a word counts more than its middle. */
function placeScore(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? "")) return 8;
  }
  return text.includes(word) ? 3 : 0;
}

export function countWords(count: number, query: string, maxShown: number): string {
  if (count === 0) return `Nothing is found for “${query}”.`;
  if (count > maxShown) return `The first ${maxShown} of ${count} results`;
  return count === 1 ? "1 result" : `${count} results`;
}

/** The text in turns: not found, found, not found … */
export function split(text: string, words: readonly string[]): string[] {
  if (words.length === 0) return [text];
  const longestFirst = words.toSorted((left, right) => right.length - left.length);
  const pattern = longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")).join("|");
  return text.split(new RegExp(`(${pattern})`, "i"));
}

const snippetLength = 110;

/** The part of a long text in which a word occurs first. */
export function snippetOf(text: string, words: readonly string[]): string {
  if (text.length <= snippetLength) return text;
  const lowered = text.toLowerCase();
  const places = words.map((word) => lowered.indexOf(word)).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const start = first < snippetLength * 0.7 ? 0 : text.indexOf(" ", first - 40) + 1;
  const end = text.lastIndexOf(" ", start + snippetLength);
  return `${start > 0 ? "… " : ""}${text.slice(start, end > start ? end : start + snippetLength)} …`;
}
