import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  welcome: "Ihre Fahrzeuge auf der Karte, Ihre Schlüssel zu den Daten.",
  signedOut: "Sie wurden abgemeldet. Melden Sie sich wieder an, um weiterzumachen.",
  email: "E-Mail",
  password: "Passwort",
  signingIn: "Anmeldung läuft…",
  or: "oder",
  with: (name) => `Mit ${name} anmelden`,
  noAccount: "Dieser Server hat noch kein Konto",
  noAccountText:
    "Wer den Server gestartet hat, hat einen Link, um es anzulegen. Er wurde beim Start angezeigt oder steht in der Datei setup-link im Datenverzeichnis. Öffnen Sie diesen Link.",
  forgot: "Passwort vergessen?",
  askOwner:
    "Passwort vergessen? Der Inhaber Ihres Kontos kann Ihnen einen Link zu einem neuen senden. Inhaber fragen die Betreiber dieses Dienstes.",
  forgotTitle: "Ein neues Passwort",
  forgotWhat: "Sie erhalten per E-Mail einen Link, mit dem Sie es wählen.",
  sendLink: "Link senden",
  sending: "Wird gesendet…",
  sent: "Wenn diese Adresse hier jemandem gehört, ist eine E-Mail mit einem Link unterwegs. Er gilt einmal, 24 Stunden lang.",
  back: "Zurück zur Anmeldung",
};
