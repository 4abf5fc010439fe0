import type { AdministrationTexts } from "../../texts.ts";

export const drivers: AdministrationTexts["drivers"] = {
  title: "Fahrer",
  about:
    "Wer fährt, sofern der Tracker einen Fahrerchip oder eine Fahrerkarte liest. Die Namen stehen bei Fahrten und in Berichten und sind für alle sichtbar, die das Fahrzeug sehen.",
  add: "Fahrer hinzufügen",
  nobody: "Noch keine Fahrer",
  nobodyWhat:
    "Benennen Sie eine Kennung, die ein Tracker gesendet hat, oder fügen Sie einen Fahrer mit der Kennung hinzu, die auf seinem Chip steht.",
  noIds: "Kein Chip, keine Karte",
  unnamedTitle: "Kennungen ohne Namen",
  unnamedWhat:
    "Diese haben Tracker kürzlich gesendet. Sagen Sie, wem sie gehören: Fahrten und Berichte zeigen es sofort.",
  seen: (id: string, time: string) => `${id}, zuletzt gesendet ${time}`,
  nameThis: "Benennen",
  nameWhich: (id: string) => `Benennen: ${id}`,
  name: "Name",
  ids: "Kennungen von Chips und Karten",
  idsHint: "Wie der Tracker sie sendet, etwa 0000001A2B3C4D5E. Jede gehört genau einem Fahrer.",
  newId: "Weitere Kennung",
  removeId: (id: string) => `${id} entfernen`,
  edit: "Bearbeiten",
  editWho: (name: string) => `${name} bearbeiten`,
  saved: (name: string) => `${name} ist gespeichert`,
  erase: "Löschen",
  eraseWho: (name: string) => `${name} endgültig löschen`,
  eraseTitle: (name: string) => `${name} endgültig löschen?`,
  eraseWhat:
    "Der Name wird gelöscht. Fahrten und Berichte zeigen nur noch die Kennung; das Protokoll behält seine Einträge, ohne den Namen. Wer zurückkommt, wird neu hinzugefügt.",
  erased: (name: string) => `${name} ist gelöscht`,
};
