import type { AdministrationTexts } from "../../texts.ts";

export const streets: AdministrationTexts["streets"] = {
  title: "Straßen",
  what: "Straßen für die Karte. Sie kommen aus einer Datei mit Ihrer Region, die auf diesem Server liegt; kein anderer Dienst wird gefragt.",
  inUse: "Die Karte hat Straßen.",
  notSetUp: "Straßen sind noch nicht eingerichtet. Die Karte zeigt Küsten, Grenzen und Orte.",
  seeMap: "Zur Karte",
  byOperator: "Das richten die Betreiber dieses Servers ein",
  operatorReasons: {
    several_accounts:
      "Mehrere Konten teilen sich diesen Server. Deshalb richten seine Betreiber die Straßen für alle ein. Senden Sie ihnen den Link unten.",
    several_nodes:
      "Dieser Server speichert in PostgreSQL und kann auf mehreren Rechnern laufen; jeder braucht die Datei. Seine Betreiber richten sie ein; senden Sie ihnen den Link unten.",
    configured:
      "Die Betreiber dieses Servers haben festgelegt, woher die Karte kommt. Ändern können sie es in den Einstellungen des Servers.",
  },
  instructions: "Straßen in fünf Minuten (englisch)",
  get: "1. Eine Datei Ihrer Region besorgen",
  getWhat:
    "Protomaps erstellt jeden Tag eine Karte der Welt aus OpenStreetMap. Das kostenlose Programm pmtiles schneidet Ihre Region heraus, auf jedem Rechner.",
  getProgram: "Das Programm pmtiles herunterladen",
  getLine:
    "Dann diese Zeile ausführen. Der Ausschnitt liegt um Ihre Fahrzeuge; ändern Sie ihn, wenn sie auch anderswo fahren.",
  sizes: "Eine Stadt hat 20 bis 100 MB, ein Land 0,5 bis 6 GB.",
  upload: "2. Hochladen",
  uploadWhat: (room) =>
    `Eine Datei mit der Endung .pmtiles und höchstens ${room}. Die Karte zeigt sie, sobald sie geprüft ist; ein Neustart ist nicht nötig.`,
  choose: "Datei auswählen",
  progress: (name) => `${name} wird hochgeladen`,
  sent: (sent, all) => `${sent} von ${all}`,
  done: (name) => `${name} ist in Gebrauch. Die Karte hat Straßen.`,
  leaveQuestion: "Diese Seite verlassen? Das Hochladen wird abgebrochen.",
  files: "Dateien in Gebrauch",
  remove: "Entfernen",
  removeQuestion: (name) => `${name} entfernen? Die Karte zeigt dann die Straßen daraus nicht mehr.`,
  removed: (name) => `${name} entfernt`,
  problems: {
    no_archive: "Das ist keine PMTiles-Datei. Wählen Sie die Datei, die pmtiles erzeugt hat.",
    cut_off: "Die Datei ist unvollständig: Sie endet zu früh. Erzeugen oder kopieren Sie sie noch einmal.",
    no_vector_tiles: "Diese Datei enthält Bilder statt Vektorkacheln. Nehmen Sie eine Karte von Protomaps.",
    no_roads: "Diese Datei enthält keine Straßen, die die Karte zeichnen kann. Nehmen Sie eine Karte von Protomaps.",
    damaged: "Die Datei ist beschädigt oder von einer älteren Version. Prüfen Sie sie mit pmtiles verify.",
    too_large: "Die Datei ist zu groß. Schneiden Sie eine kleinere Region aus, oder ergänzen Sie --maxzoom=14.",
    no_room:
      "Auf der Festplatte des Servers ist kein Platz für diese Datei. Schneiden Sie eine kleinere Region aus, oder schaffen Sie Platz.",
    too_many: "Es sind schon zu viele Dateien. Entfernen Sie zuerst eine.",
    busy: "Gerade wird schon etwas hochgeladen. Warten Sie, bis es fertig ist.",
    gone: "Das Hochladen wurde unterbrochen. Beginnen Sie noch einmal.",
    out_of_order: "Das Hochladen wurde unterbrochen. Beginnen Sie noch einmal.",
  },
};
