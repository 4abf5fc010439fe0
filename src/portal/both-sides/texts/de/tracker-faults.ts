import type { Texts } from "../texts.ts";

export const trackerFaults: Texts["trackerFaults"] = {
  fast: (by) => `Die Uhr des Trackers geht ${by} vor.`,
  slow: (by) => `Die Uhr des Trackers geht ${by} nach.`,
  notBelieved:
    "Seine Meldungen scheinen aus der Zukunft zu kommen und werden deshalb verworfen: keine Fahrten, keine Kilometer, keine Alarme.",
  wrongTimes: "Fahrten, Alarme und Positionen stehen zur falschen Zeit.",
  remedy: "Sagen Sie dem Portal, was die Uhr zeigt, dann stimmen die nächsten Meldungen:",
  set: (clock) => `auf ${clock} stellen`,
  ownerSets: "Das kann nur der Inhaber des Kontos einstellen.",
  twins: {
    what: "Zwei Tracker benutzen diese IMEI.",
    so: "Die Meldungen wechseln zwischen zwei weit entfernten Orten. In einem ist die falsche IMEI eingestellt, oder er hat die Einstellungen des anderen; oder einer sendet immer wieder eine alte Position. Das Fahrzeug folgt dem, der fährt.",
  },
};
