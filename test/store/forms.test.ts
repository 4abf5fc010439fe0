import { describe, expect, test } from "bun:test";
import { checkpointOf } from "../../src/derive/state.ts";
import { emptyFold, snapshotOf } from "../../src/domain/fold.ts";
import { formatReported } from "../../src/domain/reported.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { knownForms, whatToDo } from "../../src/store/forms.ts";
import { framesAfter } from "../../src/store/frames/frames.ts";
import { openDatabase } from "../../src/store/open.ts";
import { plainSql, sql } from "../../src/store/sql.ts";
import { makeEarlierStore, type RawStore } from "../support/earlier-store.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import { formatOldFrame, writtenFrame, writtenText } from "../support/old-frame-text.ts";

const { recordedAt, digest } = writtenFrame;

/** The same frame as programs before 1.0.0 wrote it, and as that one did. */
const texts = {
  digits: "9::01501050102fni503yn3m2026010109000450609000603052.500082113.40009370128.82false7\n",
  "no verdict": "<::01501050102fni503yn3m2026-01-01T09:00:04.50609:00:06.03052.500082113.40009370128.82false7\n",
  first: formatOldFrame(writtenFrame, accepted),
};

async function addFrame(raw: RawStore, device: number, at: number, packed: string): Promise<void> {
  const no = (await raw.all("select 1 = 0 as no"))[0]?.no === false ? "false" : "0";
  await raw.run(`
    insert into device_folds (account_id, device, revision, head_recorded_at, head_digest)
    values (1, ${device}, 1, ${at}, 5) on conflict do nothing`);
  await raw.run(`
    insert into frames (account_id, device, recorded_at, digest, received_at, packed, valid, discontinuity)
    values (1, ${device}, ${at}, 5, ${at}, '${packed}', ${no}, ${no})`);
}

async function pictureOf(raw: RawStore): Promise<unknown> {
  return {
    applied: await raw.all("select version, name from schema_migrations order by version"),
    frames: await raw.all("select * from frames order by device, recorded_at"),
  };
}

describe("a form has a number", () => {
  // Whoever changes one of these texts has changed the form: see `knownForms`.
  test("and the first form of a frame is this", () => {
    expect(knownForms.frames).toBe(3);
    expect(texts.first).toBe(writtenText);
  });

  test("and the first form of a live position is this", () => {
    expect(knownForms.live_positions).toBe(1);
    expect(formatReported(writtenFrame)).toBe(
      '[52.5000821,13.4000937,null,0,128.8,2,null,null,false,null,7,null,"sos"]',
    );
  });

  test("and the state of a fold begins with this", () => {
    expect(knownForms.fold_states).toBe(5);
    expect(Object.keys(snapshotOf(emptyFold))).toEqual(["judge", "stages"]);
    expect(Object.keys(snapshotOf(emptyFold).stages)).toEqual([
      "previous",
      "trail",
      "speedCheck",
      "live",
      "trips",
      "stops",
      "crossings",
      "mileage",
      "alerts",
    ]);
  });

  test("and a stored state says which rules made it", () => {
    const place = { recordedAt, digest };
    const { stateJson } = checkpointOf({ fold: emptyFold, place, finalAt: 0, framesSinceCheckpoint: 0 });
    expect(JSON.parse(stateJson)).toMatchObject({ rules: rulesVersion });
  });
});

onEachEngine("a store whose forms", (engine) => {
  test.each([
    [4, "digits"],
    [4, "no verdict"],
    [5, "digits"],
    [5, "no verdict"],
  ] as const)("are earlier than the first (schema %d, %s) is refused and left alone", async (version, form) => {
    const store = await engine.empty();
    const raw = await makeEarlierStore(store, version);
    await addFrame(raw, 1, recordedAt, texts.first);
    // Only the last of a device: a version in between has opened it, too.
    await addFrame(raw, 2, recordedAt - 1, texts.first);
    await addFrame(raw, 2, recordedAt, texts[form]);
    const before = await pictureOf(raw);
    const failure = await failureOf(openDatabase(store.target, { create: true }));
    expect(failure.code).toBe("STORE_TOO_OLD");
    expect(failure.message).toMatch(/^the database was written before 1\.0\.0 was released.*begin a new store/);
    expect(await pictureOf(raw)).toEqual(before);
    await raw.close();
  });

  test("have columns of their own, from long before 1.0.0, is refused as well", async () => {
    const store = await engine.empty();
    const raw = await makeEarlierStore(store, 4);
    await raw.run("alter table device_folds drop column untimely_until");
    expect((await failureOf(openDatabase(store.target, { create: true }))).code).toBe("STORE_TOO_OLD");
    await raw.close();
  });

  test.each([4, 5, 9])("are the first is carried over from schema %d, with or without frames", async (version) => {
    for (const count of [0, 1]) {
      const store = await engine.empty();
      const raw = await makeEarlierStore(store, version);
      if (count === 1) await addFrame(raw, 1, recordedAt, texts.first);
      await raw.close();
      const database = await store.open();
      const frames = await framesAfter(database, { accountId: 1, device: 1 }, null, 10);
      expect(frames.map(({ frame }) => frame.latitude)).toEqual(count === 1 ? [writtenFrame.latitude] : []);
      expect(await database.all(plainSql("select name, form from store_forms order by name"))).toEqual(
        Object.entries(knownForms)
          .map(([name, form]) => ({ name, form }))
          .toSorted((one, other) => one.name.localeCompare(other.name)),
      );
    }
  });

  test("are later than this program knows is refused, and so is one of a name it does not know", async () => {
    for (const [name, form] of [
      ["frames", 4],
      ["rules", rulesVersion + 1],
      ["pictures", 1],
    ] as const) {
      const store = await engine.fresh();
      await loadIngestFleet(store.database);
      await take(store.database, [randomFleet(3, 20)]);
      await store.database.transaction((tx) =>
        tx.run(sql`
          insert into store_forms (name, form) values (${name}, ${form})
          on conflict (name) do update set form = excluded.form`),
      );
      const failure = await failureOf(openDatabase(store.target, { create: true }));
      expect([failure.code, failure.message]).toEqual([
        "STORE_TOO_NEW",
        `the database holds ${name} in form ${form}, which this program does not know: ${whatToDo}`,
      ]);
    }
  });
});
