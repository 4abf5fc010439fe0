import type { Texts } from "../texts.ts";

export const errors: Texts["errors"] = {
  pageFault: "Auf dieser Seite ist etwas schiefgegangen. Neu laden kann helfen.",
  unreachable: "Der Server ist nicht erreichbar. Läuft er, und sind Sie online?",
  tooManyAttempts: (wait) => `Zu viele Versuche. Bitte warten Sie ${wait} und versuchen Sie es noch einmal.`,
  minutes: (count) => `${count} Minuten`,
  seconds: (count) => `${count} Sekunden`,
  rateLimited: "Zu viele Anfragen auf einmal. Bitte versuchen Sie es gleich noch einmal.",
  forbidden: "Das dürfen Sie nicht.",
  notFound: "Das gibt es nicht, oder Sie dürfen es nicht sehen.",
  failed: "Der Server konnte das nicht ausführen. Bitte versuchen Sie es gleich noch einmal.",
  busy: "Der Server ist beschäftigt. Es wurde nichts gespeichert; bitte versuchen Sie es gleich noch einmal.",
  wrongSignIn: "Die E-Mail oder das Passwort ist falsch.",
  noSuchPerson:
    "Mit dieser E-Mail darf sich hier niemand anmelden. Bitten Sie den Inhaber Ihres Kontos um eine Einladung, und bestätigen Sie die E-Mail bei dem Dienst, mit dem Sie sich anmelden.",
  signInUnfinished: "Die Anmeldung wurde nicht abgeschlossen oder hat zu lange gedauert. Beginnen Sie noch einmal.",
  signInNotProven:
    "Der Dienst, mit dem Sie sich anmelden, hat eine Antwort gegeben, der nicht zu trauen ist. Sagen Sie es dem Betreiber, oder nehmen Sie Ihr Passwort.",
  providerUnavailable:
    "Der Dienst, mit dem Sie sich anmelden, antwortet nicht. Versuchen Sie es später, oder nehmen Sie Ihr Passwort.",
  refused: "Der Server hat das abgelehnt.",
  conflict: "Jemand anderes hat das inzwischen geändert. Laden Sie die Seite neu, um es zu sehen.",
  fields: {
    name: "Bitte ein Name, der nicht zu lang ist, ohne Steuerzeichen.",
    current_password: "Das ist nicht Ihr Passwort.",
    new_password: "Bitte ein anderes Passwort mit 8 bis 200 Zeichen.",
    scopes: "Bitte mindestens eines wählen.",
    expires_at: "Bitte einen Tag in der Zukunft wählen.",
    per_second: "Bitte eine ganze Zahl innerhalb der Grenze, oder nichts.",
    per_day: "Bitte eine ganze Zahl innerhalb der Grenze, oder nichts.",
    description: "Bitte höchstens 2.000 Zeichen, keine Steuerzeichen.",
    email: "Bitte eine E-Mail-Adresse, die hier sonst niemand benutzt.",
    imei: "Bitte 14 bis 16 Ziffern, die kein anderes Fahrzeug hat.",
    plate: "Bitte höchstens 32 Zeichen.",
    tags: "Bitte höchstens 50 Etiketten mit 1 bis 64 Zeichen.",
    time_zone: "Bitte eine Zeitzone wählen.",
    valid_from: "Dieser Zeitpunkt liegt in der Zukunft. Bitte einen in der Vergangenheit wählen.",
    device_ids: "Eines dieser Fahrzeuge gibt es nicht mehr. Bitte die Seite neu laden.",
    user_ids: "Eine dieser Personen gibt es nicht mehr. Bitte die Seite neu laden.",
    rules:
      "Eine Regel passt nicht: Eine Zahl liegt außerhalb ihrer Grenzen, oder eine Geozone gibt es nicht mehr. Bitte die Seite neu laden und nachsehen.",
    geometry: "Diese Form lässt sich nicht speichern.",
    radius_m: "Der Radius liegt außerhalb seiner Grenzen.",
    width_m: "Die Breite liegt außerhalb ihrer Grenzen.",
    color: "Bitte eine andere Farbe wählen.",
    status: "Das lässt sich nicht deaktivieren.",
  },
};
