import type { AdministrationTexts } from "../../texts.ts";

export const start: AdministrationTexts["start"] = {
  title: "Ihr erstes Fahrzeug auf der Karte",
  what: "Sie können jederzeit aufhören und später weitermachen.",
  lookAround: "Erst einmal umsehen",
  question: "Was haben Sie?",
  other: "Etwas anderes",
  have: {
    tracker: {
      title: "Einen Tracker mit SIM-Karte",
      what: "Er meldet sich selbst bei diesem Server. Sie wählen das Modell, senden ihm ein paar Zeilen und sehen, wie er sich meldet.",
    },
    phone: {
      title: "Ein Telefon",
      what: "Eine App darauf meldet, wo es ist: Traccar Client, OwnTracks oder OsmAnd.",
    },
    gateway: {
      title: "Ein anderes Gateway",
      what: "Traccar, ein MQTT-Broker oder ein eigenes Programm sendet hierher, was Tracker ihm melden.",
    },
    file: {
      title: "Eine Fahrzeugtabelle, oder eine GPX- oder CSV-Datei",
      what: "Namen und IMEIs in einer CSV-Datei oder in Zellen zum Einfügen; oder Fahrten, die anderswo aufgezeichnet wurden.",
    },
    look: {
      title: "Noch nichts, nur umsehen",
      what: "Eine erfundene Flotte in einem eigenen Konto. Sie sendet niemandem E-Mails und lässt sich jederzeit löschen.",
    },
  },
  phoneImeiHint:
    "15 Ziffern, mit denen sich die App meldet. Diese sind frei gewählt; ändern Sie sie nur, wenn die App schon eine Nummer hat.",
  fileDone: "Die Fahrzeuge gehören zu Ihrer Flotte. Sie erscheinen auf der Karte, sobald sie sich melden.",
  tableTitle: "Fahrzeuge aus einer Tabelle",
  track: {
    title: "Eine aufgezeichnete Fahrt",
    what: "Die Punkte einer GPX-Datei oder einer CSV-Datei mit Zeiten und Positionen. Sie werden gespeichert, als hätte das Fahrzeug sie gesendet.",
    vehicle: "Fahrzeug",
    imeiHint: "Diese 15 Ziffern sind ausgedacht. Geben Sie die des Trackers ein, wenn er sich auch hier melden wird.",
    file: "GPX- oder CSV-Datei",
    storing: (percent) => `Wird gespeichert: ${percent}`,
    stored: (count, shown) => (count === 1 ? "Ein Punkt ist gespeichert." : `${shown} Punkte sind gespeichert.`),
    there: (shown) => `Schon vorhanden: ${shown}.`,
    leftOut: (shown, line) => `Ausgelassen: ${shown}, zuerst in Zeile ${line}.`,
    wrong: "Das ist weder ein GPX-Track noch eine Tabelle mit Zeiten und Positionen.",
    large: "Eine Zeile dieser Datei ist zu lang, um gesendet zu werden.",
    show: "Fahrt zeigen",
  },
  appStep: "App einrichten",
  appNumber: "Nummer der App",
  lookWhat:
    "43 erfundene Fahrzeuge in und um Berlin, mit einer Woche Verlauf, Fahrern, Alarmen und Berichten. Sie haben ein eigenes Konto neben Ihrem: Nichts davon vermischt sich mit Ihren Daten, und niemand erhält E-Mails.",
  lookMake: "Anlegen",
  lookMaking: "Sie wird angelegt, das dauert etwa eine Minute",
  lookReady: "Sie ist da.",
  lookEnter: "Ansehen",
  lookErase: "Löschen",
  lookEnding: "Sie wird gelöscht",
  lookNot:
    "Dieser Server legt sie nur an, solange er ein einziges Konto hat. Auf dem eigenen Rechner bekommt sie jeder: npx odograph demo.",
};

export const keptMails: AdministrationTexts["keptMails"] = {
  title: "E-Mails",
  what: "Was die Personen dieser erfundenen Flotte per E-Mail erhalten hätten. Nichts davon wurde gesendet.",
  none: "Noch keine E-Mails",
  noneWhat: "Sie kommen mit den nächsten Alarmen und Berichten.",
  to: "An",
  open: "Wie im Postfach anzeigen",
  files: "Dateien",
};
