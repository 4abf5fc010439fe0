import { describe, expect, test } from "bun:test";
import { checkpointOf } from "../../src/derive/state.ts";
import { emptyFold, snapshotOf } from "../../src/domain/fold.ts";
import { type Frame, nothingReported } from "../../src/domain/frame.ts";
import { formatReported } from "../../src/domain/reported.ts";
import { rulesVersion } from "../../src/domain/rules.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { lineContent } from "../../src/store/blocks/frame-line.ts";
import { knownForms, whatToDo } from "../../src/store/forms.ts";
import { openDatabase } from "../../src/store/open.ts";
import { sql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { failureOf } from "../support/failures.ts";
import { loadIngestFleet, randomFleet } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";

const place = { recordedAt: Date.UTC(2026, 0, 1, 9, 0, 4, 506), digest: 1_450_126_813_434_106 };
const frame: Frame = {
  ...nothingReported,
  ...place,
  latitude: 52.5000821,
  longitude: 13.4000937,
  speed_kmh: 0,
  heading_deg: 128.8,
  accuracy_m: 2,
  ignition: false,
  battery_percent: 7,
  event: "sos",
  receivedAt: Date.UTC(2026, 0, 1, 9, 0, 6, 30),
  driver_id: "00F1A2B3",
};
const reported = '[52.5000821,13.4000937,null,0,128.8,2,null,null,false,null,7,null,"sos"]';

/** The same with the time of its receipt. */
const received: Frame = { ...frame, time_source: "receipt" };
const ofReceipt = `${reported.slice(0, -1)},1]`;

describe("a form has a number", () => {
  // A change of one of these texts is a change of the form: see `knownForms`.
  test("and a frame in a row of its own is this", () => {
    expect(knownForms.frames).toBe(4);
    expect(lineContent({ frame, verdict: accepted })).toBe(`\t\t\t\t${reported}\t"00F1A2B3"`);
    expect(lineContent({ frame: received, verdict: accepted })).toBe(`\t\t\t\t${ofReceipt}\t"00F1A2B3"`);
  });

  test("and a live position is this", () => {
    expect(knownForms.live_positions).toBe(2);
    expect(formatReported(frame)).toBe(reported);
    expect(formatReported(received)).toBe(ofReceipt);
  });

  test("and the state of a fold begins with this", () => {
    expect(knownForms.fold_states).toBe(5);
    expect(Object.keys(snapshotOf(emptyFold))).toEqual(["judge", "stages"]);
    expect(Object.keys(snapshotOf(emptyFold).stages)).toEqual([
      "previous",
      "trail",
      "speedCheck",
      "frozen",
      "live",
      "trips",
      "stops",
      "crossings",
      "mileage",
      "alerts",
    ]);
  });

  test("and a stored state says which rules made it", () => {
    const { stateJson } = checkpointOf({ fold: emptyFold, place, finalAt: 0, framesSinceCheckpoint: 0 });
    expect(JSON.parse(stateJson)).toMatchObject({ rules: rulesVersion });
  });
});

onEachEngine("a store whose forms", (engine) => {
  test("are later than this program knows is refused, and so is one of a name it does not know", async () => {
    for (const [name, form] of [
      ["frames", 5],
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
