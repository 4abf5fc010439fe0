/** What differs from run to run: ids, secrets, times, sizes. */
const variable =
  /(?<id>\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)|(?<secret>\bod[oi]_[0-9A-Za-z]{8}(?:[0-9A-Za-z]{38}|…)?)|(?<time>\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3})?Z|\b\d\d:\d\d:\d\d\.\d{3}\b)|(?<size>\b\d+(?= bytes\b))/g;

/** Ids that the pages' fleet file gives are the same in every run. */
const ofTheFleet = "5a0f6a52-";
/** How much of a secret is shown in lists. */
const prefixLength = 12;
const recentMs = 3_600_000;

/**
 * What a page says that is printed, with this run's ids, secrets, times and sizes in the place of the page's. The rest must
 * be equal, and so must a time that is not of this run. What stands for what is remembered: the same id on the page must be
 * the same id each time.
 */
export function filled(shown: string, printed: string, memory: Map<string, string>): string {
  const actual = [...printed.matchAll(variable)];
  let at = 0;
  return shown.replace(variable, (word: string, ...rest: unknown[]) => {
    const kinds = rest.at(-1) as Record<string, string | undefined>;
    const kind = Object.keys(kinds).find((name) => kinds[name] !== undefined) ?? "";
    const found = actual[at++];
    const value = found?.groups?.[kind];
    if (value === undefined || value === word || word.startsWith(ofTheFleet)) return word;
    if (kind === "time") return isRecent(value) ? value : word;
    if (kind === "size") return value;
    const [known, meant] = kind === "secret" ? [word, value].map((text) => text.slice(0, prefixLength)) : [word, value];
    if (known === undefined || meant === undefined) return word;
    if (!memory.has(known)) memory.set(known, meant);
    return memory.get(known) === meant ? value : (memory.get(known) ?? word);
  });
}

/** A command of a page, with the ids that this run has in their place. */
export function recalled(command: string, memory: ReadonlyMap<string, string>): string {
  return command.replace(variable, (word) => memory.get(word) ?? word);
}

function isRecent(time: string): boolean {
  const isClock = !time.includes("-");
  return isClock || Math.abs(Date.now() - Date.parse(time.replace(" ", "T"))) < recentMs;
}
