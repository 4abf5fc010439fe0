import { beforeEach, expect, test } from "bun:test";
import { tidyChanges } from "../../src/derive/upkeep/tidy-changes.ts";
import type { Sql } from "../../src/store/sql.ts";
import { altered } from "../support/altered.ts";
import { startApi } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { smallFleet, uuid } from "../support/fleet.ts";
import { devices, newYear } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import type { Change } from "./copy.ts";
import { drives, type Following, followings, vanDrive } from "./following.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const [van] = devices;

onEachEngine("a token of long ago", (engine) => {
  const begin = followings(engine);
  let following: Following;
  beforeEach(async () => {
    following = await begin();
  });

  /** What the servers do so many days from now. */
  const passDays = (days: number) =>
    tidyChanges(following.database, Date.now() + days * dayMs, new AbortController().signal);

  const statusOf = async (after: string, key?: string, query = "") =>
    (await following.ask(`after=${encodeURIComponent(after)}&${query}`, key)).status;

  /** Late frames join two trips of the van: one of them is withdrawn. */
  async function withdrawTrip(): Promise<void> {
    const drive = vanDrive(newYear, 240).filter((_, index) => index % 6 === 0);
    const isLate = ({ recordedAt }: { recordedAt: number | null }) =>
      (recordedAt ?? 0) > newYear + 0.5 * hourMs && (recordedAt ?? 0) < newYear + 3 * hourMs;
    await take(following.database, [drive.filter((frame) => !isLate(frame))]);
    await take(following.database, [drive.filter(isLate)]);
  }

  test("is 410 once a removal after it is forgotten, which takes 31 days", async () => {
    const before = await following.now();
    await withdrawTrip();
    const since = await following.now();
    await passDays(30.9);
    expect((await following.since(before)).some(({ change }) => change === "removed")).toBe(true);
    await passDays(31.1);
    const response = await following.ask(`after=${encodeURIComponent(before)}`);
    expect([response.status, response.body.error.code]).toEqual([410, "CURSOR_EXPIRED"]);
    expect(response.body.error.message.length).toBeGreaterThan(20);
    expect(await statusOf(since)).toBe(200);
    expect(await statusOf(await following.now())).toBe(200);
  });

  test("is 410 with a cursor that goes on from it", async () => {
    const before = await following.now();
    await withdrawTrip();
    const { body } = await following.ask(`after=${encodeURIComponent(before)}&limit=5`);
    await passDays(32);
    expect((await following.ask(`cursor=${encodeURIComponent(body.next_cursor)}`)).status).toBe(410);
    expect(await statusOf(body.resume_after)).toBe(410);
  });

  test("is 410 if the removal is forgotten while the page is read", async () => {
    const before = await following.now();
    await withdrawTrip();
    const { database } = following;
    let isFirst = true;
    /** Forgets just before the log is read, when the token was found to be good. */
    const all = async <Row>(query: Sql): Promise<Row[]> => {
      if (isFirst && query.text.includes("from changes")) {
        isFirst = false;
        await passDays(32);
      }
      return database.all<Row>(query);
    };
    const node = await startApi(altered(database, { all }));
    const { status } = await node.get(`/changes?after=${encodeURIComponent(before)}`, following.keys.olga);
    expect([isFirst, status]).toEqual([false, 410]);
    await node.close();
  });

  test("is good for followers that could not have seen the removal: other types, other viewers", async () => {
    const { keys } = following;
    const few = await following.key("olga@acme.test", { scopes: ["users:read", "sensors:read"] });
    const tokens = {
      olga: await following.now(),
      ann: await following.now(keys.ann),
      bob: await following.now(keys.bob),
      few: await following.now(few),
      rita: await following.now(keys.rita),
    };
    await withdrawTrip();
    await passDays(400);
    expect(await statusOf(tokens.olga)).toBe(410);
    expect(await statusOf(tokens.ann, keys.ann)).toBe(410);
    expect(await statusOf(tokens.bob, keys.bob)).toBe(200);
    expect(await statusOf(tokens.few, few)).toBe(200);
    expect(await statusOf(tokens.rita, keys.rita)).toBe(200);
    expect(await statusOf(tokens.olga, undefined, "types=device,user,position")).toBe(200);
    expect(await statusOf(tokens.olga, undefined, "types=device,trip")).toBe(410);
  });

  test("is good if it is of now, whatever was forgotten before a device came into sight", async () => {
    const bob = await following.key("bob@acme.test", { scopes: ["trips:read"] });
    await withdrawTrip();
    await following.load({ ...van, user_ids: [uuid(12), uuid(13)] });
    await passDays(32);
    expect(await statusOf(await following.now(bob), bob)).toBe(200);
  });

  test("of a quiet fleet is good after a year, and reports all since", async () => {
    const before = await following.now();
    await drives(following);
    await following.load({ ...smallFleet.ann, name: "Anne" });
    const reported = async () => new Set((await following.since(before)).map(nameOf));
    const exact = await reported();
    await passDays(365);
    await passDays(366);
    expect(await reported()).toEqual(exact);
  });

  test("reports what is in sight after a device has come and gone, until that is forgotten", async () => {
    const { keys } = following;
    const before = await following.now(keys.bob);
    const ann = await following.now(keys.ann);
    await following.load({ ...van, user_ids: [uuid(12), uuid(13)] });
    const between = await following.now(keys.bob);
    await following.load({ ...van, user_ids: [uuid(12)] });
    await passDays(30.9);
    const gone = (await following.since(between, keys.bob)).filter(({ change }) => change === "removed");
    expect(gone.map(({ type, id }) => [type, id])).toContainEqual(["device", uuid(21)]);
    await passDays(31.1);
    expect([await statusOf(before, keys.bob), await statusOf(between, keys.bob)]).toEqual([410, 410]);
    expect(await statusOf(ann, keys.ann)).toBe(200);
  });

  test("misses nothing when old entries of the log have been merged, wherever it had come to", async () => {
    const before = await following.now();
    await drives(following);
    await withdrawTrip();
    const all = lastOfEach(await following.since(before));
    const pages: { readonly token: string; readonly cursor: string; readonly had: Change[] }[] = [];
    const had: Change[] = [];
    let query = `after=${encodeURIComponent(before)}&limit=37`;
    for (;;) {
      const { body } = await following.ask(query);
      had.push(...body.data);
      if (body.next_cursor === null) break;
      pages.push({ token: body.resume_after, cursor: body.next_cursor, had: [...had] });
      query = `cursor=${encodeURIComponent(body.next_cursor)}&limit=37`;
    }
    await drives(following, newYear + 24 * hourMs);
    const later = lastOfEach(await following.since(before));
    await passDays(3);
    for (const page of pages) {
      const rest = await following.since(page.token);
      const known = lastOfEach([...page.had, ...rest]);
      expect([...later].filter(([name, change]) => known.get(name) !== change)).toEqual([]);
      const { body } = await following.ask(`cursor=${encodeURIComponent(page.cursor)}&limit=500`);
      const byCursor = lastOfEach([...page.had, ...body.data, ...(await following.since(body.resume_after))]);
      expect([...all].filter(([name]) => !byCursor.has(name))).toEqual([]);
    }
  });
});

function nameOf({ type, change, id }: Change): string {
  return `${type} ${change} ${id}`;
}

function lastOfEach(changes: readonly Change[]): Map<string, string> {
  return new Map(changes.map(({ type, id, change }) => [`${type} ${id}`, change]));
}
