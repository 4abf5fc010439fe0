import type { ChangeType } from "../../domain/changes/types.ts";
import { Failure } from "../../domain/errors.ts";
import { taggedBody } from "../../http/ready-body.ts";
import type { ViewerCounters } from "../../store/changes/viewer-counters.ts";
import { hasUnreportedReturn } from "../../store/changes/viewer-records.ts";
import { lastForgotten } from "../../store/upkeep/forgotten-removals.ts";
import { placeAfter, type WalkPlace } from "../changes/place.ts";
import { types, wantedTypes } from "../changes/types.ts";
import { readChanges } from "../changes/walk.ts";
import { showsNext } from "../formats/format.ts";
import type { Parameter } from "../input/parameter.ts";
import { deviceId, imeiParameter } from "../input/parameters.ts";
import { listDocument } from "../lists/list-page.ts";
import { filterValue, type PagedList, pagedRoute } from "../lists/paging.ts";
import { changePage, changeRow } from "../records/change.ts";
import { expiredResume } from "../refusals.ts";
import type { Answer, Route, RouteCall } from "../route.ts";

/** One that names a place within a change is longer than the others: 704 characters. */
const maxAfterLength = 1_500;

export const followedAfter: Parameter<string> = {
  name: "after",
  in: "query",
  required: false,
  emptyIsAbsent: false,
  description:
    "The `resume_after` of an earlier answer: everything that changed since. Opaque, and only for the user whose key it was " +
    "given to. Omitted: an empty page with the `resume_after` of now.",
  schema: { type: "string", minLength: 1 },
  example: "mZ8Jr0cVd1qkFw3yPz5bTDQ2xhaw1c7Lk2sTn5uQe1x",
  expected: "the resume_after of an earlier answer to this user",
  read: (text) => (text.length <= maxAfterLength ? text : undefined),
};

interface PageKey {
  /** The viewer's newest change as the round began: what it gets to see meanwhile comes with the next. */
  readonly until: number;
  readonly place: WalkPlace;
  /** Not in cursors of versions before 1.4. */
  readonly shownUntil?: number;
}

const encoder = new TextEncoder();

const list: PagedList = {
  path: "/changes",
  operationId: "listChanges",
  tag: "Changes",
  summary: "Follow a fleet",
  description:
    "Everything that became known, was corrected or was withdrawn since `after`, in the order in which it was committed. " +
    "To begin, call it without `after` and remember `resume_after`; then read the past with the other lists, `/devices` " +
    "first; then call it with `after`. Read pages until `next_cursor` is null, and next time begin with the `resume_after` of the last page. " +
    "Nothing is missed, however late frames arrive. A record may come twice: `type` and `id` say which one it replaces. " +
    "Send the `ETag` of the answer before as `If-None-Match`: while there is nothing new the answer is 304, free of the " +
    "day's quota.",
  scope: "any",
  record: { name: "Change", schema: changeRow, example: null },
  example: "/changes?after=mZ8Jr0cVd1qkFw3yPz5bTDQ2xhaw1c7Lk2sTn5uQe1x&types=trip,alert",
  parameters: [followedAfter, types, deviceId, imeiParameter],
  conditional: true,
  isKeySealed: true,
  formats: { keys: () => ["change"] },
};

/**
 * Tokens, cursors and with them the tag of an answer depend on what the viewer sees alone. Not even that there was a number
 * may be noticed: it could be another's vehicle that moves, or a record that the key has no scope for.
 */
const paged = pagedRoute<PageKey>(list, async (call, page, cursorAfter) => {
  const wanted = wantedTypes(filterValue(page, types), call.scopes);
  const given = filterValue(page, followedAfter);
  const numbers = await call.cache.counters(call.visibility);
  if (given === null)
    return bodyOf(call, [], null, call.resumeTokens.encode(call.visibility, await now(call, numbers)));
  const newest = newestOf(numbers, wanted);
  const { number: since, place, sightUntil } = resumedAt(call, given, numbers);
  await refuseForgotten(call, numbers, since, wanted);
  const { device, limit } = page;
  const quietSince = (token: string) => call.cache.quietSince(call.visibility, `${[...wanted]} ${device?.id} ${token}`);
  const quiet = quietSince(given);
  // The one number of a poll without changes.
  if (newest <= since) {
    quiet.until = numbers.last;
    return bodyOf(call, [], null, given);
  }
  const start = quiet.until > since ? placeAfter(quiet.until) : (place ?? placeAfter(since));
  const key: PageKey = page.after ?? { until: newest, place: start };
  const until = newest > key.until ? key.until : numbers.last;
  const { place: from, shownUntil = since } = key;
  const found = await readChanges(call, { from, until, types: wanted, device, limit, sightUntil, shownUntil });
  // What was forgotten while the page was read may be missing from it.
  await refuseForgotten(call, await call.cache.counters(call.visibility), since, wanted);
  const { records, next, reportedUntil } = found;
  const nextPage = next && cursorAfter({ until: key.until, place: next, shownUntil: found.shownUntil });
  // A follower that gets nothing stays where it is, so that its next poll has the same tag.
  if (next === null && records.length === 0 && page.after === null) {
    quiet.until = until;
    return bodyOf(call, records, nextPage, given);
  }
  // Without devices among the types, nothing says which of them leave and come back.
  const isSightKnown =
    !wanted.has("device") ||
    (next === null && !(await hasUnreportedReturn(call.database, call.visibility, sightUntil, until)));
  const knownUntil = isSightKnown ? reportedUntil : sightUntil;
  const resumeAfter = call.resumeTokens.encode(call.visibility, reportedUntil, next, knownUntil);
  // Up to here there is nothing else: the next poll need not search it again.
  if (next === null) quietSince(resumeAfter).until = until;
  return bodyOf(call, records, nextPage, resumeAfter);
});

function newestOf({ seen }: ViewerCounters, types: ReadonlySet<ChangeType>): number {
  return Math.max(0, ...[...types].map((type) => seen[type]));
}

/** The newest change of all that the key may see, whichever types it will follow. */
async function now({ database, visibility, scopes }: RouteCall, numbers: ViewerCounters): Promise<number> {
  const granted = wantedTypes(null, scopes);
  const newest = newestOf(numbers, granted);
  // A token from before a forgotten removal would have expired as it is given.
  return newest < numbers.forgotten ? Math.max(newest, await lastForgotten(database, visibility, granted)) : newest;
}

export const listChanges: Route = {
  ...paged,
  response: changePage.schema,
  example: { request: list.example, response: changePage.example },
  followed: true,
  problems(call) {
    // Before anything that is wrong with the request: 403 comes before 400.
    wantedTypes(call.input.get(types), call.scopes);
    const text = call.input.get(followedAfter);
    const isWrong = text !== null && call.resumeTokens.decode(call.visibility, text) === null;
    return [...(paged.problems?.(call) ?? []), ...(isWrong ? [`after: expected ${followedAfter.expected}`] : [])];
  },
};

/** Refuses to go on from a number if a removal after it is no longer remembered. */
async function refuseForgotten(
  { database, visibility }: RouteCall,
  { forgotten }: ViewerCounters,
  since: number,
  wanted: ReadonlySet<ChangeType>,
): Promise<void> {
  if (since < forgotten && since < (await lastForgotten(database, visibility, wanted))) throw expiredResume();
}

function resumedAt({ resumeTokens, visibility }: RouteCall, given: string, { last }: ViewerCounters) {
  const resumed = resumeTokens.decode(visibility, given);
  if (resumed === "expired") throw expiredResume("changed");
  if (resumed !== null && resumed.number <= last) return resumed;
  throw new Failure(
    "INVALID_REQUEST",
    `after: expected ${followedAfter.expected}${resumed === null ? "" : ", got one of the future"}`,
  );
}

async function bodyOf(
  call: RouteCall,
  records: readonly string[],
  next: string | null,
  resumeAfter: string,
): Promise<Answer> {
  const page = listDocument(call, await call.withNames(records.join(",")), next, { resume_after: resumeAfter });
  // A follower that gets nothing new must not miss that it goes on elsewhere.
  const besides = showsNext(call.format) ? "" : `${next} ${resumeAfter}`;
  return { ...page, body: taggedBody(encoder.encode(page.body), 1, besides) };
}
