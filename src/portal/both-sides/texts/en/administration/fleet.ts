import { plural } from "../../plural.ts";

export const fleet = {
  parts: "Parts of the fleet",
  // What a change concerns, before it is saved.
  effect: "What this changes",
  noEffect: "Nothing else changes.",
  begins: (count: number, shown: string) => `begins ${plural(count, shown, "assignment", "assignments")}`,
  ends: (count: number, shown: string) => `ends ${plural(count, shown, "assignment", "assignments")}`,
  subAccounts: (count: number, shown: string) =>
    `${plural(count, shown, "sub-account sees", "sub-accounts see")} the change`,
  derivedAgain: (vehicles: string, facts: string) => `${vehicles} recalculated, with ${facts}`,
  vehiclesDerivedAgain: (vehicles: string) => `${vehicles} recalculated`,
  since: (time: string) => ` since ${time}`,
  sinceBeginning: " since the beginning",
  and: "and",
  // A rule that cannot apply.
  ofVehicle: (name: string) => `of ${name}`,
  ofTag: (tag: string) => `of the tag ${tag}`,
  ofAll: "of all vehicles",
  ruleOf: (type: string, whose: string) => `The rule “${type}” ${whose}`,
  namesNoFence: (rule: string) => `${rule} cannot apply: it names no fence.`,
  notAssigned: (rule: string, fences: string) =>
    `${rule} cannot apply: the vehicle is assigned to none of its fences (${fences}).`,
  noneAssigned: (rule: string, fences: string) =>
    `${rule} cannot apply: no vehicle is assigned to one of its fences (${fences}).`,
  tagNotUsed: (tag: string) => `The rules of the tag ${tag} cannot apply: no vehicle has this tag.`,
  moreFences: (fences: string, count: string) => `${fences} and ${count} more`,
  moreRules: (count: number, shown: string) => `And ${plural(count, shown, "more rule", "more rules")} cannot apply.`,
  // Two people at once.
  conflict: "Someone else has changed this in the meantime",
  conflictFields: (fields: string) => `Changed since you opened it: ${fields}.`,
  nowValue: (field: string, value: string) => `${field} (now ${value})`,
  nowEmpty: (field: string) => `${field} (now empty)`,
  nothingLost: "Your own changes are not lost.",
  bothChanged: "You have both changed these. Choose what stays:",
  yours: "Yours",
  theirs: "Theirs",
  emptyValue: "empty",
  saveChosen: "Save as chosen",
  keep: "Keep and hide",
  removing: "Removing…",
  removeAnyway: "Remove anyway",
  erase: "Erase for good",
  eraseAnyway: "Erase anyway",
  keepMine: "Save mine anyway",
  takeTheirs: "Take theirs",
  // Who manages a record.
  managedByFile: "From the fleet file. If you change it here, the file no longer changes it by itself.",
  managedByPortal: "Changed here. The fleet file no longer changes it by itself.",
  cannotUndo: "This cannot be undone.",
};
