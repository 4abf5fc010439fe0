import { expect, test } from "bun:test";
import type { RuleTimes } from "../../src/domain/alerts/rule-times.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as deAdministration from "../../src/portal/both-sides/texts/de/administration/index.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as enAdministration from "../../src/portal/both-sides/texts/en/administration/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as esAdministration from "../../src/portal/both-sides/texts/es/administration/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as ptAdministration from "../../src/portal/both-sides/texts/pt/administration/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import { draftTimesOf, timesOfDraft } from "../../src/portal/page/rules/draft-times.ts";
import { timesWords } from "../../src/portal/page/rules/times-words.ts";

const times: RuleTimes = {
  within: [
    { days: ["mon", "tue", "wed", "thu", "fri"], from: "20:00", until: "06:00" },
    { days: ["sat", "sun"], from: "00:00", until: "00:00" },
  ],
  dates_off: ["2026-12-25", "2026-12-26", "2027-01-01"],
};

test("the times of a rule read well in every language and on either clock", () => {
  const words = [
    timesWords(times, new Show("en", en, usualUnits, "UTC"), enAdministration.rules.times),
    timesWords(times, new Show("en", en, { ...usualUnits, clock: "12" }, "UTC"), enAdministration.rules.times),
    timesWords(times, new Show("de", de, usualUnits, "UTC"), deAdministration.rules.times),
    timesWords(times, new Show("es", es, usualUnits, "UTC"), esAdministration.rules.times),
    timesWords(times, new Show("pt", pt, usualUnits, "UTC"), ptAdministration.rules.times),
  ];
  expect(words.map((text) => text.replaceAll(/\s/g, " "))).toEqual([
    "Mon–Fri 20:00–06:00; Sat, Sun all day; 3 dates",
    "Mon–Fri 08:00 pm–06:00 am; Sat, Sun all day; 3 dates",
    "Mo–Fr 20:00–06:00; Sa, So ganztags; 3 Tage",
    "lun–vie 20:00–06:00; sáb, dom todo el día; 3 fechas",
    "seg–sex 20:00–06:00; sáb, dom o dia todo; 3 datas",
  ]);
});

test("times that are opened and not changed are the same times, and what is missing is none", () => {
  const draft = draftTimesOf(times);
  expect(timesOfDraft(draft)).toEqual(times as ReturnType<typeof timesOfDraft>);
  const [part] = draft.parts;
  if (part === undefined) throw new Error("no part");
  for (const wrong of [{ days: [] }, { from: "" }, { until: "" }]) {
    expect(timesOfDraft({ ...draft, parts: [{ ...part, ...wrong }] })).toBeNull();
  }
  expect(timesOfDraft(draftTimesOf(null))).toBe("always");
});
