import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  welcome: "Ihre Fahrzeuge auf der Karte, Ihre Schlüssel zu den Daten.",
  signedOut: "Sie wurden abgemeldet. Melden Sie sich wieder an, um weiterzumachen.",
  email: "E-Mail",
  password: "Passwort",
  signingIn: "Anmeldung läuft…",
  help: "Kein Konto oder Passwort verloren? Fragen Sie die Betreiber dieses Dienstes.",
};
