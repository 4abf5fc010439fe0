import type { AdministrationTexts } from "../../administration-texts.ts";

export const links: AdministrationTexts["links"] = {
  title: "Ihr Link",
  invitation: "Willkommen",
  reset: "Neues Passwort wählen",
  invitedTo: (account) => `Sie sind zu ${account} eingeladen. Wählen Sie ein Passwort, dann sind Sie angemeldet.`,
  resetOf: (account) => `Es gilt für Ihren Zugang zu ${account}. Danach sind Sie überall sonst abgemeldet.`,
  for: "Für",
  password: "Neues Passwort",
  again: "Neues Passwort noch einmal",
  length: "8 bis 200 Zeichen.",
  notTheSame: "Die beiden stimmen nicht überein.",
  use: "Speichern und anmelden",
  using: "Wird gespeichert…",
  worksUntil: (time) => `Der Link funktioniert einmal, bis ${time}.`,
  useless: "Dieser Link funktioniert nicht",
  uselessWhy: "Er wurde schon benutzt, ist abgelaufen oder durch einen neueren ersetzt.",
  uselessWhat:
    "Bitten Sie die Person, die ihn gesendet hat, um einen neuen. Mit einem Passwort können Sie sich anmelden.",
  signIn: "Zur Anmeldung",
};
