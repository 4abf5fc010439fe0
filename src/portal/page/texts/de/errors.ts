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
  wrongSignIn: "Die E-Mail oder das Passwort ist falsch.",
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
