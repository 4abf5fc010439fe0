import { expect, test } from "bun:test";
import { alertTypes } from "../../src/domain/alert-types.ts";
import { firstDifference, mergedRules, type RuleHistories, rulesAmong } from "../../src/domain/alerts/set-rules.ts";
import type { AlertRule } from "../../src/domain/fleet.ts";
import { type Version, versionInForce } from "../../src/domain/versions.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";

const seed = announcedSeed("rules in force");

const limit = (limit_kmh: number): AlertRule => ({ ...plain("speeding"), parameters: { limit_kmh } });

function plain(alertType: AlertRule["alertType"]): AlertRule {
  return { alertType, enabled: true, severity: null, parameters: {}, geofenceIds: [] };
}

const at = <Content>(validFrom: number, content: Content): Version<Content> => ({ validFrom, content });

/** What is in force, briefly: its limit or type, and whom it was set for. */
function shown(histories: RuleHistories, moment: number): string[] {
  return (versionInForce(mergedRules(histories), moment)?.content ?? []).map(
    ({ alertType, parameters, setFor, tag }) => `${parameters.limit_kmh ?? alertType} ${tag ?? setFor}`,
  );
}

test("the device comes before its tags, and these before all, each alert type by itself", () => {
  const rules = rulesAmong({
    own: [limit(30)],
    ofTags: [{ tag: "cold", rules: [limit(50), plain("idling")] }],
    all: [limit(90), plain("idling"), plain("towing")],
  });
  expect(rules.map(({ alertType, setFor, tag }) => [alertType, setFor, tag])).toEqual([
    ["towing", "account", null],
    ["idling", "tag", "cold"],
    ["speeding", "device", null],
  ]);
});

test("several tags add up, in the order of their names, so the last one counts", () => {
  const shared = { byTag: new Map([tagged("north", limit(50)), tagged("cold", limit(80))]), all: [at(0, [limit(90)])] };
  const histories = { own: [], tags: [at(0, ["north", "cold"])], shared };
  expect(shown(histories, 5)).toEqual(["80 cold", "50 north"]);
});

function tagged(tag: string, ...rules: AlertRule[]): [string, Version<AlertRule[]>[]] {
  return [tag, [at(0, rules)]];
}

test("a vehicle that gets a tag is judged by it from then on, and no longer once it has lost it", () => {
  const shared = { byTag: new Map([tagged("cold", limit(50))]), all: [] };
  const histories = { own: [], tags: [at(0, []), at(100, ["cold"]), at(200, [])], shared };
  expect([50, 100, 199, 200].map((moment) => shown(histories, moment))).toEqual([[], ["50 cold"], ["50 cold"], []]);
});

test("the first version of each history also holds for all time before", () => {
  const shared = { byTag: new Map([["cold", [at(500, [limit(50)])]]]), all: [at(700, [plain("idling")])] };
  const histories = { own: [], tags: [at(600, ["cold"])], shared };
  expect(shown(histories, 1)).toEqual(["idling account", "50 cold"]);
});

test("without rules for tags or all, a device's history is its own", () => {
  const own = [at(100, [limit(50)]), at(200, []), at(300, [plain("idling")])];
  const merged = mergedRules({ own, tags: [at(0, ["cold"])], shared: { byTag: new Map(), all: [] } });
  expect(merged.map(({ validFrom }) => validFrom)).toEqual([100, 200, 300]);
  expect(mergedRules({ own: [], tags: [at(0, ["cold"])], shared: { byTag: new Map(), all: [] } })).toEqual([]);
});

test("a change that a device's own rules hide makes no difference to it", () => {
  const own = [at(0, [limit(30)])];
  const before = mergedRules({ own, tags: [], shared: { byTag: new Map(), all: [at(0, [limit(90)])] } });
  const after = mergedRules({ own, tags: [], shared: { byTag: new Map(), all: [at(0, [limit(90)]), at(50, [])] } });
  expect(firstDifference(before, after)).toBeNull();
});

const one = <Item>(random: () => number, items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
const moments = [0, 100, 200, 300, 400];

function randomHistory<Content>(random: () => number, content: () => Content): Version<Content>[] {
  return moments.filter(() => random() < 0.4).map((validFrom) => at(validFrom, content()));
}

function randomRules(random: () => number): AlertRule[] {
  return Array.from({ length: Math.floor(random() * 3) }, () => ({
    ...plain(one(random, alertTypes.slice(0, 3))),
    parameters: { limit_kmh: one(random, [50, 60]) },
  }));
}

function randomHistories(random: () => number): RuleHistories {
  const rules = () => randomHistory(random, () => randomRules(random));
  const tags = randomHistory(random, () => ["a", "b"].filter(() => random() < 0.5));
  return {
    own: rules(),
    tags: tags.length > 0 ? tags : [at(0, ["a"])],
    shared: {
      byTag: new Map([
        ["a", rules()],
        ["b", rules()],
      ]),
      all: rules(),
    },
  };
}

/** What the histories say of one moment, looked up one by one. */
function naive({ own, tags, shared }: RuleHistories, moment: number) {
  const held = versionInForce(tags, moment)?.content ?? [];
  const of = (history: readonly Version<readonly AlertRule[]>[]) => versionInForce(history, moment)?.content ?? [];
  const ofTags = held.toSorted().map((tag) => ({ tag, rules: of(shared.byTag.get(tag) ?? []) }));
  return alertTypes.flatMap((type) => {
    const isOfType = ({ alertType }: AlertRule) => alertType === type;
    const mine = of(own).filter(isOfType);
    const byTag = ofTags.flatMap(({ rules }) => rules.filter(isOfType));
    return mine.length > 0 ? mine : byTag.length > 0 ? byTag : of(shared.all).filter(isOfType);
  });
}

const everyMoment = [-1, ...moments.flatMap((moment) => [moment, moment + 50])];

/** As a device is judged: without where the rules come from. */
function judged(rules: readonly AlertRule[]) {
  return alertTypes.flatMap((type) =>
    rules
      .filter(({ alertType }) => alertType === type)
      .map(({ alertType, enabled, severity, parameters, geofenceIds }) => {
        return { alertType, enabled, severity, parameters, geofenceIds };
      }),
  );
}

test("at any moment the merged history says what all histories say of that moment", () => {
  for (let round = 0; round < 1000; round++) {
    const histories = randomHistories(randomNumbers(seed + round));
    const merged = mergedRules(histories);
    for (const moment of everyMoment) {
      const found = versionInForce(merged, moment)?.content ?? [];
      expect(judged(found), `round ${round}, at ${moment}`).toEqual(naive(histories, moment));
    }
  }
});

test("the first difference is the first moment from which another rule judges", () => {
  for (let round = 0; round < 1000; round++) {
    const random = randomNumbers(seed + 5000 + round);
    const [before, after] = [randomHistories(random), randomHistories(random)];
    const differing = everyMoment.find(
      (moment) => JSON.stringify(naive(before, moment)) !== JSON.stringify(naive(after, moment)),
    );
    const expected = differing === undefined ? null : Math.max(0, differing);
    expect(firstDifference(mergedRules(before), mergedRules(after)), `round ${round}`).toBe(expected);
  }
});
