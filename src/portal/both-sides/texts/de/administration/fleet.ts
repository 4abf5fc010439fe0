import { plural } from "../../plural.ts";
import type { AdministrationTexts } from "../../texts.ts";

export const fleet: AdministrationTexts["fleet"] = {
  parts: "Teile der Flotte",
  effect: "Was sich ändert",
  noEffect: "Sonst ändert sich nichts.",
  begins: (count, shown) => `${plural(count, shown, "Zuordnung beginnt", "Zuordnungen beginnen")}`,
  ends: (count, shown) => `${plural(count, shown, "Zuordnung endet", "Zuordnungen enden")}`,
  subAccounts: (count, shown) => `${plural(count, shown, "Unterkonto sieht", "Unterkonten sehen")} die Änderung`,
  derivedAgain: (vehicles, facts) => `neu berechnet: ${vehicles} mit ${facts}`,
  vehiclesDerivedAgain: (vehicles) => `neu berechnet: ${vehicles}`,
  since: (time) => ` seit ${time}`,
  sinceBeginning: " von Anfang an",
  and: "und",
  ofVehicle: (name) => `von ${name}`,
  ofTag: (tag) => `der Markierung ${tag}`,
  ofAll: "aller Fahrzeuge",
  ruleOf: (type, whose) => `Die Regel „${type}“ ${whose}`,
  namesNoFence: (rule) => `${rule} kann nicht gelten: Sie nennt keine Geozone.`,
  notAssigned: (rule, fences) =>
    `${rule} kann nicht gelten: Das Fahrzeug ist keiner ihrer Geozonen zugeordnet (${fences}).`,
  noneAssigned: (rule, fences) =>
    `${rule} kann nicht gelten: Kein Fahrzeug ist einer ihrer Geozonen zugeordnet (${fences}).`,
  tagNotUsed: (tag) => `Die Regeln der Markierung ${tag} können nicht gelten: Kein Fahrzeug hat diese Markierung.`,
  moreFences: (fences, count) => `${fences} und ${count} weitere`,
  moreRules: (count, shown) =>
    plural(count, shown, "weitere Regel kann nicht gelten.", "weitere Regeln können nicht gelten."),
  conflict: "Jemand anderes hat das inzwischen geändert",
  conflictFields: (fields) => `Geändert, seit Sie es geöffnet haben: ${fields}.`,
  nowValue: (field, value) => `${field} (jetzt ${value})`,
  nowEmpty: (field) => `${field} (jetzt leer)`,
  nothingLost: "Ihre eigenen Änderungen gehen nicht verloren.",
  keep: "Behalten und verbergen",
  removing: "Wird entfernt…",
  removeAnyway: "Trotzdem entfernen",
  erase: "Endgültig löschen",
  eraseAnyway: "Trotzdem löschen",
  keepMine: "Meine Fassung trotzdem speichern",
  takeTheirs: "Die andere Fassung übernehmen",
  managedByFile: "Aus der Flottendatei. Was Sie hier ändern, überschreibt die Datei künftig nicht mehr.",
  managedByPortal: "Hier geändert. Die Flottendatei überschreibt es nicht mehr.",
  cannotUndo: "Das lässt sich nicht rückgängig machen.",
};
