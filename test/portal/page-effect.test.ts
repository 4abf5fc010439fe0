import { expect, test } from "bun:test";
import type { EffectWarning } from "../../src/portal/both-sides/contract/envelopes.ts";
import * as deAdministration from "../../src/portal/both-sides/texts/de/administration/index.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as enAdministration from "../../src/portal/both-sides/texts/en/administration/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as esAdministration from "../../src/portal/both-sides/texts/es/administration/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as ptAdministration from "../../src/portal/both-sides/texts/pt/administration/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import { warningSentence } from "../../src/portal/page/fleet/effect-words.ts";

const show = { number: String } as never;
const id = "0f7a6f1c-1111-4222-8333-944444444444";
const rule = {
  rules_of: id,
  vehicle_name: "Van 7",
  alert_type: "geofence_exit",
  fence_names: [],
  more_fences: 0,
} as const;
const fences = { fence_names: ["Depot", "Yard", "Pier"], more_fences: 2 };

const warnings: readonly EffectWarning[] = [
  { kind: "no_fence", ...rule },
  { kind: "fences_not_assigned", ...rule, ...fences },
  { kind: "fences_not_assigned", ...rule, ...fences, rules_of: "tag:cold", vehicle_name: null },
  { kind: "no_fence", ...rule, rules_of: "all", vehicle_name: null },
  { kind: "tag_not_used", tag: "cold" },
  { kind: "more", count: 3 },
];

test("a rule that cannot apply is named by type and vehicle, not by line and id", () => {
  const said = warnings.map((warning) => warningSentence(warning, { ...en, ...enAdministration, show }));
  const type = en.alerts.types.geofence_exit;
  expect(said).toEqual([
    `The rule “${type}” of Van 7 cannot apply: it names no fence.`,
    `The rule “${type}” of Van 7 cannot apply: the vehicle is assigned to none of its fences (Depot, Yard, Pier and 2 more).`,
    `The rule “${type}” of the tag cold cannot apply: no vehicle is assigned to one of its fences (Depot, Yard, Pier and 2 more).`,
    `The rule “${type}” of all vehicles cannot apply: it names no fence.`,
    "The rules of the tag cold cannot apply: no vehicle has this tag.",
    "And 3 more rules cannot apply.",
  ]);
});

test.each([
  ["es", es, esAdministration],
  ["pt", pt, ptAdministration],
  ["de", de, deAdministration],
] as const)("the same in %s", (_, texts, administration) => {
  for (const warning of warnings) {
    const said = warningSentence(warning, { ...texts, ...administration, show });
    expect(said).toEndWith(".");
    expect(said).not.toContain(id);
    expect(said).not.toBe(warningSentence(warning, { ...en, ...enAdministration, show }));
    if (warning.kind === "no_fence" && warning.vehicle_name !== null) expect(said).toContain("Van 7");
    if ("fence_names" in warning && warning.fence_names.length > 0) expect(said).toContain("Depot, Yard, Pier");
  }
});
