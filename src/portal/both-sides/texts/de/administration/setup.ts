import type { AdministrationTexts } from "../../texts.ts";

export const setup: AdministrationTexts["setup"] = {
  title: "Odograph einrichten",
  welcome: "Legen Sie das Konto Ihrer Flotte an; Sie werden sein Inhaber. Alles lässt sich später ändern.",
  checking: "Der Link wird geprüft",
  useless: "Dieser Link ist nicht mehr gültig",
  uselessText:
    "Er wurde benutzt, ist älter als 24 Stunden, oder es gibt einen neueren. Der Server gibt bei jedem Start ohne Konto einen neuen Link aus.",
  accountHint: "Zum Beispiel der Name Ihrer Firma.",
  zoneHint: "Die Tage der Berichte beginnen dort um Mitternacht.",
  you: "Sie, der Inhaber",
  name: "Ihr Name",
  passwordAgain: "Passwort noch einmal",
  create: "Konto anlegen",
  creating: "Wird angelegt…",
  done: "Erledigt",
  reported: "Diese Tracker haben sich gemeldet und gehören noch zu keinem Fahrzeug:",
  take: (imei) => `IMEI ${imei} verwenden`,
  trackerStep: "Tracker einrichten",
  trackerWhat: "Der Tracker muss wissen, wohin er sendet. Das Token sagt, zu welchem Konto er gehört.",
  makeToken: "Token erstellen",
  makingToken: "Wird erstellt…",
  tokenName: (vehicle) => `Tracker von ${vehicle}`,
  hasToken:
    "Sie haben schon ein Token erstellt. Wenn der Tracker es hat, warten Sie einfach. Ist es verloren, erstellen Sie ein neues.",
  anotherToken: "Neues Token erstellen",
  copyNow: "Kopieren Sie jetzt, was Sie brauchen: Das Token wird nicht noch einmal angezeigt.",
  arrivalStep: "Auf die erste Meldung warten",
  waiting: (vehicle) => `Warten auf ${vehicle}`,
  waitingWhat:
    "Diese Seite merkt es von selbst. Die meisten Tracker brauchen freie Sicht zum Himmel und ein, zwei Minuten.",
  noFix: (vehicle) =>
    `${vehicle} meldet sich, hat aber noch keine Position. Der Tracker braucht freie Sicht zum Himmel.`,
  other: (imei) => `Ein Tracker mit der IMEI ${imei} meldet sich, aber kein Fahrzeug hat sie.`,
  takeOther: (vehicle) => `Er ist in ${vehicle}`,
  here: (vehicle) => `${vehicle} ist hier`,
  lastReport: (ago) => `Letzte Meldung ${ago}. Der Punkt bewegt sich mit jeder Meldung.`,
  openMap: "Karte öffnen",
  moreVehicles: "Weitere Fahrzeuge hinzufügen",
  invite: "Personen einladen",
};

export const links: AdministrationTexts["links"] = {
  confirm: "Adresse bestätigen",
  confirmWhat: (account) => `Damit dürfen Alarme und Berichte von ${account} gesendet werden an:`,
  doConfirm: "Bestätigen",
  confirming: "Wird bestätigt…",
  confirmUntil: (time) =>
    `Der Link funktioniert bis ${time}. Wenn Sie diese Firma nicht kennen, schließen Sie die Seite: Es wird nichts gesendet.`,
  confirmed: "Die Adresse ist bestätigt",
  confirmedWhat: "Was darauf gewartet hat, wird jetzt gesendet. Jede dieser E-Mails hat einen Link zum Abbestellen.",
  openPortal: "Portal öffnen",
  title: "Ihr Link",
  invitation: "Willkommen",
  reset: "Neues Passwort wählen",
  invitedTo: (account) => `Sie sind zu ${account} eingeladen. Wählen Sie ein Passwort, dann sind Sie angemeldet.`,
  resetOf: (account) => `Es gilt für Ihren Zugang zu ${account}. Danach sind Sie überall sonst abgemeldet.`,
  for: "Für",
  use: "Speichern und anmelden",
  worksUntil: (time) => `Der Link funktioniert einmal, bis ${time}.`,
  useless: "Dieser Link funktioniert nicht",
  uselessWhy: "Er wurde schon benutzt, ist abgelaufen oder wurde durch einen neueren ersetzt.",
  uselessWhat:
    "Bitten Sie die Person, die ihn gesendet hat, um einen neuen. Mit einem Passwort können Sie sich anmelden.",
  signIn: "Zur Anmeldung",
};
