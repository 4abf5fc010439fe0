import type { Texts } from "../texts.ts";

export const shell: Texts["shell"] = {
  opening: "Das Portal wird geöffnet",
  skip: "Zum Inhalt springen",
  views: "Ansichten",
  yesterday: "Gestern",
  map: "Karte",
  reports: "Berichte",
  alerts: "Alarme",
  fleet: "Flotte",
  keys: "Schlüssel",
  usage: "Nutzung",
  account: "Konto",
  menu: ", Menü",
  owner: "Inhaber",
  subAccount: "Unterkonto",
  settings: "Flotte, Schlüssel und Konto",
  showTimesIn: "Zeiten zeigen in",
  reference: "API-Referenz",
  guide: "Handbuch",
  signOut: "Abmelden",
};
