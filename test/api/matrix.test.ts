import { expect, test } from "bun:test";
import type { Route } from "../../src/api/route.ts";
import { routes } from "../../src/api/routes.ts";
import { type ApiWorld, sight, startWorld, stopWorld, thatTime, type ViewerName } from "../support/api-fleet.ts";
import { identityOf, inSight, type Sight } from "../support/api-sight.ts";
import { onEachEngine } from "../support/engines.ts";
import { load } from "../support/fleet.ts";
import { failureOf, type Query, urlOf } from "../support/route-request.ts";
import type { SeededDevice } from "../support/seed.ts";

const viewers = Object.keys(sight) as ViewerName[];
/** Followers learn that a device has left their sight: test/follow says what they may see. */
const lists = routes.filter(({ followed }) => !followed);
const wholeTime = { from: "2026-06-01", to: "2026-06-16" };

/** One way to ask a route, and which device or user it names. */
interface Question {
  readonly path: string;
  readonly query: Query;
  readonly device: SeededDevice | null;
  readonly userId: string | null;
  readonly kind: string | null;
}

/** Every way to ask: for all at once and for each device and user of the world, in sight or not. */
function questionsOf(route: Route, { devices, users, resumeAfter }: ApiWorld): Question[] {
  const names = route.parameters.map((parameter) => parameter.name);
  const query: Query = {
    ...(route.windowed ? wholeTime : {}),
    ...(names.includes("time") ? { time: thatTime } : {}),
    ...(route.followed ? { after: resumeAfter } : {}),
    ...(names.includes("valid_only") ? { valid_only: "false" } : {}),
  };
  const whole: Question = { path: route.path, query, device: null, userId: null, kind: null };
  const each = Object.values(devices);
  const paths = route.path.includes("{device_id}")
    ? each.flatMap((device) =>
        [device.id, device.imei].map((name) => ({ ...whole, device, path: route.path.replace("{device_id}", name) })),
      )
    : route.path.includes("{user_id}")
      ? Object.values(users).map(({ id }) => ({ ...whole, userId: id, path: `/users/${id}` }))
      : route.path.includes("{kind}")
        ? ["fuel", "temperature", "tyre"].map((kind) => ({ ...whole, kind, path: `/sensors/${kind}` }))
        : [whole];
  if (!names.includes("imei")) return paths;
  return paths.flatMap((asked) => [
    ...(route.needsDevice ? [] : [asked]),
    ...each.map((device) => ({ ...asked, device, query: { ...query, imei: device.imei } })),
    ...(names.includes("device_id")
      ? each.map((device) => ({ ...asked, device, query: { ...query, device_id: device.id } }))
      : []),
  ]);
}

/** All pages of an answer: their texts, with what their cursors hold, and their records. */
async function answerOf(world: ApiWorld, viewer: ViewerName, route: Route, { path, query }: Question) {
  const texts: string[] = [];
  const records: Record<string, string>[] = [];
  const isPaged = route.parameters.some((parameter) => parameter.name === "limit");
  let cursor: string | null = null;
  for (;;) {
    const page: Query = { ...query, ...(isPaged ? { limit: "2" } : {}), ...(cursor === null ? {} : { cursor }) };
    const answer = await world.get(urlOf({ path, query: page }), viewer);
    texts.push(answer.text);
    if (answer.status !== 200) return { texts, records, failure: failureOf(answer) };
    records.push(...[answer.body.data].flat());
    cursor = answer.body.next_cursor ?? null;
    if (cursor === null) return { texts, records, failure: null };
    texts.push(Buffer.from(cursor.split(".")[0] ?? "", "base64url").toString());
  }
}

/** Everything that a route says to a viewer, whatever they ask; and, on the way, that it is what they should hear. */
async function sweep(world: ApiWorld, viewer: ViewerName, route: Route, who: Sight = sight): Promise<string> {
  const { records: seen, deviceIds, userIds } = inSight(world, viewer, who);
  const identity = identityOf[route.operationId];
  const texts: string[] = [];
  for (const question of questionsOf(route, world)) {
    const { device, userId, kind } = question;
    const answer = await answerOf(world, viewer, route, question);
    texts.push(...answer.texts);
    const isHidden = (device && !deviceIds.has(device.id)) || (userId !== null && !userIds.has(userId));
    const name = userId === null ? "device" : "user";
    const failure = isHidden
      ? { status: 404, error: { code: "NOT_FOUND", message: `there is no such ${name}` } }
      : null;
    expect([urlOf(question), answer.failure]).toEqual([urlOf(question), failure]);
    if (isHidden) continue;
    const expected = (seen[route.operationId] ?? [])
      .filter((record) => device === null || record.deviceId === device.id)
      .filter((record) => userId === null || record.identity === userId)
      .filter((record) => kind === null || record.identity.includes(` ${kind} `))
      .map((record) => record.identity);
    const found = answer.records.map((record) => identity?.(record) ?? "");
    // Changes have no order but that of their commits.
    const [shown, wanted] = route.followed ? [found.toSorted(), expected.toSorted()] : [found, expected];
    expect([urlOf(question), ...shown]).toEqual([urlOf(question), ...wanted]);
  }
  return texts.join("\n");
}

/** What is in the text and not in sight: ids and IMEIs of whatever origin, and every name of the world. */
function foreignIn(text: string, world: ApiWorld, viewer: ViewerName, who: Sight = sight): string[] {
  const { strings } = inSight(world, viewer, who);
  // The id of a call, in an error, is nobody's; that of a key is shown to the key alone.
  const answered = text.replaceAll(/"(?:request_id|key_id)":"[^"]+"/g, "");
  const ids = answered.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![0-9.])[0-9]{14,16}(?![0-9])/gi) ?? [];
  const names = viewers.flatMap((other) => [...inSight(world, other).strings]);
  const known = [...new Set(names)].filter((name) => answered.includes(JSON.stringify(name).slice(1, -1)));
  return [...new Set([...ids, ...known])].filter((found) => !strings.has(found));
}

onEachEngine("what a viewer hears", (engine) => {
  const world = engine.shared(startWorld, stopWorld);

  for (const route of routes) {
    test(`from ${route.path} is all of what is in sight, and nothing else`, async () => {
      expect(identityOf[route.operationId]).toBeDefined();
      const answered = new Map<ViewerName, string>();
      for (const viewer of viewers) {
        const text = await sweep(world(), viewer, route);
        expect([viewer, ...foreignIn(text, world(), viewer)]).toEqual([viewer]);
        answered.set(viewer, text);
      }
      // If one of them were shown what another is shown, it would be noticed.
      for (const [viewer, other] of [
        ["anna", "olga"],
        ["ben", "anna"],
        ["anna", "ben"],
        ["olga", "otto"],
        ["otto", "olga"],
      ] as const) {
        expect(foreignIn(answered.get(other) ?? "", world(), viewer)).not.toEqual([]);
      }
    });
  }

  test("would be noticed to be foreign by any one of its names", () => {
    const { van, car, ferry } = world().devices;
    const hidden = [car, ferry].flatMap(({ id, imei, name, plate }) => [id, imei, name, plate ?? ""]);
    for (const text of [...hidden, world().users.ben.name, world().users.ben.email, world().fences.harbour.name]) {
      expect(foreignIn(JSON.stringify({ data: { ...van, note: text } }), world(), "anna")).toEqual([text]);
    }
    const unknown = "00000000-0000-4000-8000-00000000dead";
    expect(foreignIn(unknown, world(), "olga")).toEqual([unknown]);
  });

  test("follows an assignment that is taken away, and one that is given, at once", async () => {
    const own = await startWorld(await engine.fresh());
    const { van } = own.devices;
    const { anna, ben, dora } = own.users;
    const assignTo = (users: readonly { readonly id: string }[]) =>
      load(own.store.database, [
        {
          type: "device",
          account_id: own.accounts.acme.id,
          ...{ id: van.id, imei: van.imei, name: van.name, plate: van.plate, vin: van.vin },
          user_ids: users.map(({ id }) => id),
        },
      ]);
    const pageOf = async (path: string) => (await own.get(path, "anna")).body.next_cursor;
    const vansPage = await pageOf(`/trips?device_id=${van.id}&from=2026-06-15&to=2026-06-16&limit=1`);
    const page = await pageOf("/trips?from=2026-06-15&to=2026-06-16&limit=1");
    const { headers } = await own.get("/positions/latest", "anna");
    const poll = { "If-None-Match": headers.get("ETag") ?? "" };
    expect((await own.get("/positions/latest", "anna", poll)).status).toBe(304);

    await assignTo([dora, ben]);
    const after: Sight = { ...sight, anna: ["truck"], ben: ["van", ...sight.ben] };
    const polled = await own.get("/positions/latest", "anna", poll);
    expect([polled.status, foreignIn(polled.text, own, "anna", after)]).toEqual([200, []]);
    const gone = await own.get(`/trips?cursor=${vansPage}`, "anna");
    expect(failureOf(gone)).toMatchObject({ status: 404, error: { message: "there is no such device" } });
    const rest = await own.get(`/trips?cursor=${page}`, "anna");
    expect([rest.status, foreignIn(rest.text, own, "anna", after)]).toEqual([200, []]);
    for (const viewer of viewers) {
      for (const route of lists) {
        const text = await sweep(own, viewer, route, after);
        expect([route.path, viewer, ...foreignIn(text, own, viewer, after)]).toEqual([route.path, viewer]);
      }
    }
    expect((await own.get(`/users/${anna.id}`, "anna")).body.data.device_count).toBe(1);

    await assignTo([dora, anna]);
    for (const route of lists) await sweep(own, "anna", route);
    for (const route of lists) await sweep(own, "ben", route);
    await stopWorld(own);
  });
});
