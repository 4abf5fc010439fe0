import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  welcome: "Ihre Fahrzeuge auf der Karte, Ihre Schlüssel zu den Daten.",
  signedOut: "Sie wurden abgemeldet. Melden Sie sich wieder an, um weiterzumachen.",
  email: "E-Mail",
  password: "Passwort",
  signingIn: "Anmeldung läuft…",
  help: "Kein Konto oder Passwort verloren? Fragen Sie die Betreiber dieses Dienstes.",
  or: "oder",
  with: (name) => `Mit ${name} anmelden`,
  noAccount: "Dieser Server hat noch kein Konto",
  noAccountText:
    "Wer den Server gestartet hat, hat einen Link, um es anzulegen. Er wurde beim Start angezeigt oder steht in der Datei setup-link im Datenverzeichnis. Öffnen Sie diesen Link.",
};
