import type { Texts } from "../texts.ts";

export const trackerFaults: Texts["trackerFaults"] = {
  fast: (by) => `Die Uhr des Trackers geht ${by} vor.`,
  slow: (by) => `Die Uhr des Trackers geht ${by} nach.`,
  notBelieved:
    "Seine Meldungen scheinen aus der Zukunft zu kommen, deshalb wird keine geglaubt: keine Fahrten, keine Kilometer, keine Alarme.",
  wrongTimes: "Fahrten, Alarme und Positionen stehen zur falschen Zeit.",
  remedy: "Sobald das Portal weiß, was die Uhr zeigt, stimmen weitere Meldungen:",
  set: (clock) => `auf ${clock} stellen`,
  ownerSets: "Nur wem das Konto gehört, kann sie stellen.",
  twins: {
    what: "Zwei Tracker benutzen diese IMEI.",
    so: "Die Meldungen wechseln zwischen zwei weit entfernten Orten. In einem ist die falsche IMEI eingestellt, oder er hat die Einstellungen des anderen; oder dieser sendet immer wieder einen alten Ort. Das Fahrzeug folgt dem, der fährt.",
  },
};
