import { expect, test } from "bun:test";
import { FrameQueue } from "../../src/intake/queue.ts";
import type { Database } from "../../src/store/database.ts";
import { foundInEach } from "../../src/store/each-account.ts";
import { dirtyDevices } from "../../src/store/facts/folds.ts";
import { directoryById } from "../../src/store/fleet/device-writes.ts";
import { framesOf } from "../follow/frames.ts";
import { settings } from "../follow/world.ts";
import { startApi } from "../support/api.ts";
import { everyRow } from "../support/catalog.ts";
import { onEachEngine } from "../support/engines.ts";
import { exportedText, recordsIn } from "../support/exported-fleet.ts";
import { load, smallFleet, uuid } from "../support/fleet.ts";
import { accountNumber, nothingChanged, rederiveAll } from "../support/ingest-node.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { portalOver } from "../support/portal.ts";
import { randomNumbers } from "../support/random-drive.ts";
import { rounds } from "../support/rounds.ts";
import { RandomEdits } from "./random-edits.ts";
import { wholeAnswers } from "./whole-answers.ts";

const seed = announcedSeed("round trip");
const runs = rounds(1, 4);
const firstDay = Date.UTC(2026, 2, 2, 6);
const driven = [21, 22, 23];
const people = [smallFleet.olga, smallFleet.ann, smallFleet.bob];
const account = { ...smallFleet.acme, limits: { per_second: 100_000, per_day: 1_000_000_000 } };

onEachEngine("a fleet that was edited in the portal", (engine) => {
  for (let run = 0; run < runs; run++) {
    test(`exported and loaded into an empty store, is the same fleet (${run})`, async () => {
      const edited = await editedFleet((await engine.fresh()).database, seed + run);
      const copy = (await engine.fresh()).database;
      try {
        const file = await exportedText(edited.database);
        await loadText(copy, file);
        await store(copy, edited.frames);
        expect(await exportedText(copy)).toBe(file);
        const [answers, copied] = [await wholeAnswers(edited.database), await wholeAnswers(copy)];
        expect([...copied.keys()]).toEqual([...answers.keys()]);
        // What happened in a fence that was removed stays in the store, but is no part of the fleet.
        const unlike = edited.hasRemovedFences ? ["alert", "geofence_event", "stop"] : [];
        for (const [email, all] of answers) expect(without(unlike, copied.get(email))).toEqual(without(unlike, all));
        // The owner sees all kinds of facts, so there was something to compare.
        const { lists } = answers.get(smallFleet.olga.email) as { lists: Record<string, unknown[]> };
        for (const type of ["device", "position", "trip", "reading", "mileage", "alert_settings"]) {
          expect({ type, count: lists[type]?.length }).not.toEqual({ type, count: 0 });
        }

        // And in the store that it came from nothing changes.
        const before = await everyRow(edited.database);
        const summary = await loadText(edited.database, file);
        for (const { added, changed } of Object.values(summary))
          expect({ added, changed }).toEqual({ added: 0, changed: 0 });
        expect(await everyRow(edited.database)).toEqual(before);

        // What was hidden comes back as it would be had it been seen all the time.
        await edited.editHiddenAndPutBack();
        await derive(edited.database);
        const all = await wholeAnswers(edited.database);
        expect(await rederiveAll(edited.database)).toMatchObject(nothingChanged);
        expect(await wholeAnswers(edited.database)).toEqual(all);
      } catch (error) {
        console.log(`seed ${seed + run} on ${engine.name}: ${edited.done.join("\n")}`);
        throw error;
      }
    });
  }
});

function without(types: readonly string[], answers: unknown): unknown {
  const { lists, ...rest } = answers as { lists: Record<string, unknown> };
  return { lists: Object.fromEntries(Object.entries(lists).filter(([type]) => !types.includes(type))), ...rest };
}

type Frames = ReturnType<typeof framesOf>;

async function editedFleet(database: Database, seed: number) {
  const { van, truck, car, depot } = smallFleet;
  const rules = settings(van.id, 40, [depot.id]);
  await load(database, [account, ...people, van, truck, car, depot, rules], firstDay);
  const frames = driven.flatMap((number) => framesOf(uuid(number), number, { seed, framesPerDay: 60, days: 3 }));
  await store(database, frames);
  const api = await startApi(database);
  const edits = new RandomEdits(database, await portalOver(database, api), {
    account: { number: await accountNumber(database), id: account.id },
    devices: driven.map(uuid),
    users: [uuid(12), uuid(13)],
    fences: [depot.id],
    settings: [van.id],
    random: randomNumbers(seed),
    now: firstDay,
  });
  await edits.run(25).finally(() => api.close());
  await derive(database);
  const editHiddenAndPutBack = () => edits.editHiddenAndPutBack();
  return { database, frames, done: edits.done, hasRemovedFences: edits.hasRemovedFences, editHiddenAndPutBack };
}

/** Each frame under the IMEI that its device has now. */
async function store(database: Database, frames: Frames): Promise<void> {
  const entries = await directoryById(database, new Set(frames.map(({ deviceId }) => deviceId)));
  const imeiOf = new Map(entries.map(({ id, imei }) => [id, imei]));
  const sent = frames.map(({ deviceId, frame }) => ({ ...frame, imei: imeiOf.get(deviceId) ?? "" }));
  await new FrameQueue(database, () => {}).submit(await accountNumber(database), sent);
  await derive(database);
}

async function derive(database: Database): Promise<void> {
  const { schedule } = new FrameQueue(database, () => {});
  await schedule.derive(await foundInEach(database, (account) => dirtyDevices(database, account, 1_000)));
}

function loadText(database: Database, text: string) {
  return load(database, recordsIn(text), Date.now());
}
