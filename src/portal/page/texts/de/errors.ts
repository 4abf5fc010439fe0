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
  providerUnavailable:
    "Der Dienst, mit dem Sie sich anmelden, antwortet nicht. Versuchen Sie es später, oder nehmen Sie Ihr Passwort.",
  refused: "Der Server hat das abgelehnt.",
  fields: {
    name: "Bitte 1 bis 100 Zeichen, keine Steuerzeichen.",
    current_password: "Das ist nicht Ihr Passwort.",
    new_password: "Bitte ein anderes Passwort mit 8 bis 200 Zeichen.",
    scopes: "Bitte mindestens eines wählen.",
    expires_at: "Bitte einen Tag in der Zukunft wählen.",
    per_second: "Bitte eine ganze Zahl innerhalb der Grenze, oder nichts.",
    per_day: "Bitte eine ganze Zahl innerhalb der Grenze, oder nichts.",
  },
};
