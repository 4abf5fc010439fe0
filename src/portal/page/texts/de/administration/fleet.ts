import type { AdministrationTexts } from "../../administration-texts.ts";
import { plural } from "../../plural.ts";

export const fleet: AdministrationTexts["fleet"] = {
  title: "Flotte",
  parts: "Teile der Flotte",
  effect: "Was sich ändert",
  noEffect: "Sonst ändert sich nichts.",
  begins: (count, shown) => `${plural(count, shown, "Zuordnung beginnt", "Zuordnungen beginnen")}`,
  ends: (count, shown) => `${plural(count, shown, "Zuordnung endet", "Zuordnungen enden")}`,
  subAccounts: (count, shown) => `${plural(count, shown, "Unterkonto sieht", "Unterkonten sehen")} die Änderung`,
  vehicles: (count, shown) => plural(count, shown, "Fahrzeug", "Fahrzeuge"),
  trips: (count, shown) => plural(count, shown, "Fahrt", "Fahrten"),
  crossings: (count, shown) => plural(count, shown, "Übertritt", "Übertritte"),
  alerts: (count, shown) => plural(count, shown, "Alarm", "Alarme"),
  derivedAgain: (vehicles, facts) => `neu berechnet: ${vehicles} mit ${facts}`,
  vehiclesDerivedAgain: (vehicles) => `neu berechnet: ${vehicles}`,
  since: (time) => ` seit ${time}`,
  sinceBeginning: " von Anfang an",
  and: "und",
  conflict: "Jemand anders hat das inzwischen geändert",
  conflictFields: (fields) => `Geändert, seit Sie es geöffnet haben: ${fields}. Von Ihnen geht nichts verloren.`,
  keepMine: "Meines trotzdem speichern",
  takeTheirs: "Das andere übernehmen",
  managedByFile: "Aus der Flottendatei. Wenn Sie es hier ändern, ändert die Datei es nicht mehr von selbst.",
  managedByPortal: "Hier geändert. Die Flottendatei ändert es nicht mehr von selbst.",
  cannotUndo: "Das lässt sich nicht rückgängig machen.",
};
