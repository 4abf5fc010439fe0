import type { AdministrationTexts } from "../../texts.ts";

export const connect: AdministrationTexts["connect"] = {
  title: "Tracker verbinden",
  what: "Für Tracker mit SIM-Karte, die sich selbst bei diesem Server melden. Sie brauchen den Tracker und ein Telefon, das ihm eine SMS senden kann.",
  offer: "Ein Tracker mit SIM-Karte?",
  offerWhat:
    "Er meldet sich selbst bei diesem Server, ohne Token. Wählen Sie sein Modell, senden Sie ihm ein paar Zeilen und sehen Sie, wie er sich meldet.",
  modelStep: "Welcher Tracker ist es?",
  search: "Modell suchen",
  notFound:
    "Ein Modell mit diesem Namen ist hier nicht bekannt. Wählen Sie unten den Hersteller oder das Protokoll; das Handbuch nennt es.",
  families: "Oder wählen Sie den Hersteller oder das Protokoll",
  other: "Anderen wählen",
  linesStep: "Stellen Sie ein, wohin er sendet",
  closed: (family) => `Dieser Server nimmt noch keine ${family}-Tracker an.`,
  closedWhat: "Dazu müssen die Betreiber den Server mit dieser Einstellung starten und den Port öffnen:",
  setting: "Einstellung des Servers",
  orVariable: "Oder als Umgebungsvariable:",
  guess: (host) =>
    `Die Adresse ${host} ist eine Vermutung: Sie stammt aus Ihrem Browser. Erreichen Tracker den Server unter einer anderen, können die Betreiber sie festlegen.`,
  local: (host) =>
    `${host} ist nur von diesem Rechner oder aus seinem eigenen Netz erreichbar. Ein Tracker mit SIM-Karte braucht eine Adresse im Internet.`,
  bySms: "Senden Sie diese SMS nacheinander an die Nummer seiner SIM-Karte. Warten Sie nach jeder auf die Antwort.",
  byCommand:
    "Senden Sie diese Zeilen als SMS an die Nummer seiner SIM-Karte oder mit dem Programm des Herstellers. Warten Sie nach jeder auf die Antwort.",
  anyModel: "Die meisten Modelle verstehen diese Zeilen. Antwortet er nicht, stehen seine eigenen im Handbuch.",
  twoSpaces:
    "Jede beginnt mit zwei Leerzeichen, außer der Tracker hat ein SMS-Login. Sie werden mit der Zeile kopiert.",
  apn: "Zugangspunkt (APN) der SIM-Karte",
  apnHint: "Vom Anbieter der SIM-Karte, etwa internet.",
  apnUser: "Benutzername (meist keiner)",
  apnSecret: "Passwort (meist keines)",
  code: {
    password: (usual) => `Passwort des Trackers (neue haben ${usual})`,
    model: () => "Passwort des Trackers (sein Modell in Kleinbuchstaben, etwa gv300)",
    login: () => "SMS-Login und Passwort des Trackers (meist keine)",
  },
  lineMeanings: {
    reset: "Setzt seine Einstellungen zurück",
    apn: "Mobiles Internet der SIM-Karte",
    apnUser: "Benutzername des Zugangspunkts",
    apnSecret: "Passwort des Zugangspunkts",
    server: "Adresse und Port dieses Servers",
    serverPort: "Port dieses Servers",
    restart: "Startet ihn neu",
    keepsReports: "Sendet über UDP und behält jede Meldung, bis dieser Server sie gespeichert hat",
    overTcp: "Sendet über TCP",
    dataOn: "Sendet über mobile Daten (nicht jedes Modell hat das)",
    utc: "Stellt seine Uhr auf UTC",
    interval: "Alle 20 bis 30 Sekunden eine Position",
    intervalOff: "Alle 5 Minuten bei ausgeschalteter Zündung",
    moreFields: "Sendet mehr: Zündung, Tür, Kraftstoff (nicht jedes Modell hat das)",
    showSettings: "Zum Prüfen: Er antwortet mit seinen Einstellungen",
    showState: "Zum Prüfen: Er antwortet mit seinem Zustand",
  },
  noLines:
    "Wir kennen keine SMS, die den Server dieses Trackers einstellt. Nehmen Sie das Programm oder die App des Herstellers oder sein Handbuch, und geben Sie ein:",
  orProgram: "Oder geben Sie das im Programm des Herstellers ein:",
  host: "Server",
  port: "Port",
  transport: "Über",
  showLines: "Zeilen noch einmal anzeigen",
  identityStep: "Geben Sie seine IMEI ein",
  ownIds: {
    phone: "Nummer, die er sendet (Telefonnummer seiner SIM-Karte oder eine auf dem Aufkleber)",
    labelNumber: "Nummer auf dem Aufkleber",
    tenDigits: "Zehn Ziffern auf dem Aufkleber",
    twelveDigits: "Zwölf Ziffern, die er sendet",
  },
  ownIdHints: {
    phone:
      "Die meisten JT/T-808-Tracker senden so eine Nummer, meist mit 12 Ziffern, und nicht ihre IMEI. Lassen Sie das Feld leer, wenn Ihrer die IMEI sendet.",
    labelNumber: "So nennt sich der Tracker: 6, 9 oder 10 Ziffern.",
    tenDigits: "Die meisten dieser Tracker nennen sich so. Lassen Sie das Feld leer, wenn es keine gibt.",
    twelveDigits: "Meist 0 und die letzten elf Ziffern der IMEI. Lassen Sie das Feld leer, wenn Sie es nicht wissen.",
  },
  wait: "Auf seine Meldung warten",
  entering: "Einen Moment…",
  changeIdentity: "IMEI ändern",
  problem: "Geben Sie eine IMEI mit 14 bis 16 Ziffern ein.",
  ownIdProblem: "Geben Sie höchstens 64 Buchstaben und Ziffern ohne Leerzeichen ein.",
  waitStep: "Warten Sie, bis er sich meldet",
  stages: { called: "Meldet sich", added: "In Ihrer Flotte", fix: "Hat eine Position", here: "Auf der Karte" },
  silent: (name) => `Unter ${name} hat sich noch kein Tracker gemeldet.`,
  silentWhat:
    "Diese Seite merkt es von selbst. Die meisten Tracker melden sich binnen zwei Minuten nach dem Einstellen.",
  check: "Was Sie prüfen können",
  checks: {
    answered:
      "Hat der Tracker auf jede Zeile geantwortet? Wenn nicht, hat die SIM-Karte vielleicht kein Guthaben oder verlangt eine PIN.",
    apn: "Stimmt der Zugangspunkt (APN), und hat die SIM-Karte mobile Daten?",
    port: (host, port) =>
      `Ist ${host}, Port ${port}, von außen erreichbar? Firewall oder Router müssen ihn durchlassen. Fragen Sie die Betreiber des Servers.`,
    digits: "Stimmen die Ziffern? Vergleichen Sie sie mit dem Aufkleber.",
    power: "Hat er Strom? Starten Sie das Fahrzeug: Manche Tracker schlafen ohne Zündung.",
  },
  lookalike: (protocol) => `Tracker mit diesem Namen gibt es auch mit einem anderen Protokoll: ${protocol}.`,
  tryLookalike: (protocol) => `Als ${protocol} einstellen`,
  others: "Diese Tracker haben sich inzwischen gemeldet und gehören zu keinem Fahrzeug. Ist es einer davon?",
  isThis: "Dieser ist es",
  isThisLabel: (name) => `Dieser ist es: ${name}`,
  stranger: (name) => `${name} hat sich gemeldet. Er gehört noch nicht zu Ihrer Flotte.`,
  strangerWhat:
    "Er wird abgewiesen, bis er zu einem Fahrzeug gehört. Geben Sie dem Fahrzeug einen Namen, dann wird es mit diesem Tracker angelegt.",
  add: "Zur Flotte hinzufügen",
  returning: (vehicle) => `${vehicle} gehört zu Ihrer Flotte. Der Tracker meldet sich von selbst wieder.`,
  returningWhat:
    "Die meisten melden sich binnen einer Minute wieder. Dauert es länger, schalten Sie ihn aus und wieder ein.",
  otherProtocolCalled: (vehicle) => `Der Tracker von ${vehicle} hat sich gemeldet und wurde abgewiesen.`,
  otherProtocol: (vehicle, protocol) =>
    `${vehicle} nimmt nur Meldungen von ${protocol}-Trackern an. Spricht dieser ein anderes Protokoll, ändern Sie das.`,
  edit: "Fahrzeug ändern",
  noFix: (vehicle, satellites) =>
    satellites === null
      ? `${vehicle} meldet sich und hat noch keine Position.`
      : `${vehicle} meldet sich und hat noch keine Position (Satelliten: ${satellites}).`,
  noFixWhat:
    "Legen Sie ihn unter freien Himmel, mit der Oberseite nach oben. Die erste Position kann bis zu 15 Minuten dauern; in Gebäuden gibt es keine.",
  doubted: (vehicle) => `${vehicle} meldet Positionen, aber keine davon ist auf der Karte.`,
  doubtedWhat:
    "Wahrscheinlich geht die Uhr falsch: Unten steht, welche Zeit er sendet. Geht sie gleichmäßig falsch, bietet diese Seite nach einigen Meldungen an, das zu berichtigen.",
  here: (vehicle) => `${vehicle} ist auf der Karte.`,
  hereWhat: (ago) => `Die letzte Position kam ${ago}.`,
  another: "Weiteren Tracker verbinden",
  expected: "Tracker, auf die Sie warten",
  expectedWhat: "Auf sie wird 30 Tage gewartet.",
  notCalled: "hat sich noch nicht gemeldet",
  called: (ago) => `hat sich ${ago} gemeldet`,
  inFleet: "gehört zu Ihrer Flotte",
  goOn: "Weiter",
  forget: "Nicht warten",
  forgetWhich: (name) => `Nicht auf ${name} warten`,
};

export const trackerMessages: AdministrationTexts["trackerMessages"] = {
  what: "Was der Tracker zuletzt gesendet hat, so wie es kam, und was daraus gelesen wurde. Nur Sie als Inhaber sehen es, zehn Minuten lang.",
  none: "Noch keine Nachrichten",
  noneWhat: {
    waiting: "Sie erscheinen hier, sobald der Tracker sendet. Gründe, warum keine da sein können:",
    notListening:
      "Dieser Server nimmt Tracker nicht selbst an. Was über ein Gateway, eine App oder ein Token kommt, steht nicht hier.",
    gateway: "Er sendet über ein Gateway, eine App oder ein Token: Solche Meldungen stehen nicht hier.",
    silent: "Er hat sich nicht gemeldet, seit der Server läuft.",
    node: "Er ist mit einem anderen Server desselben Dienstes verbunden, der gerade gestartet ist: Warten Sie, bis er wieder sendet.",
  },
  message: "Nachricht",
  cut: (bytes) => `Nur der Anfang ist aufbewahrt; die Nachricht hat ${bytes} Bytes.`,
  reply: "Antwort",
  noReply: "Keine nötig",
  notStored: "Nicht gespeichert und nicht beantwortet: Der Tracker sendet sie wieder",
  otherProtocol: "Abgewiesen: Das Fahrzeug nimmt nur Tracker mit einem anderen Protokoll an",
  otherIdentity: "Abgewiesen: Sie nennt ein anderes Gerät als die Anmeldung",
  problem: "Problem",
  leftOut: "Außerhalb der Grenzen, ausgelassen",
  unread: "Nicht gelesen",
  fields: {
    recorded: "Zeit des Trackers",
    fix: "Position",
    altitude: "Höhe",
    heading: "Richtung",
    satellites: "Satelliten",
    accuracy: "Genauigkeit",
    battery: "Akku des Trackers",
    event: "Ereignis",
    source: "Quelle",
    driver: "Fahrer",
  },
  yes: "Ja",
  no: "Nein",
};
