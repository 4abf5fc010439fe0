import type { Preferences } from "../../domain/preferences.ts";

export type LetterLanguage = NonNullable<Preferences["language"]>;

const en = {
  invitationSubject: (account: string) => `Your invitation to ${account}`,
  resetSubject: "Choose a new password for Odograph",
  greeting: (name: string) => `Hello ${name},`,
  invited: (account: string, by: string | null) =>
    by === null
      ? `You are invited to see the vehicles of ${account}.`
      : `${by} invites you to see vehicles of ${account}.`,
  reset: (account: string) => `Somebody asked for a new password for your access to ${account}.`,
  /** What the link does; before a colon, and as the text of the link. */
  accept: "Choose a password and sign in",
  choose: "Choose a new password",
  validUntil: (time: string) => `The link works once, until ${time}.`,
  notExpected: "If you did not expect this, ignore it: without the link nothing happens.",
  notAsked: "If it was not you, ignore this: your password stays as it is.",
  emailChangedSubject: "Your e-mail for Odograph was changed",
  emailChanged: (account: string) =>
    `The e-mail of your access to ${account} was changed in the portal. This address no longer signs in.`,
  notChanged: "If it was not you, tell the people who run this server at once: somebody else used your access.",
};

type LetterTexts = Readonly<typeof en>;

const es: LetterTexts = {
  invitationSubject: (account) => `Invitación a ${account}`,
  resetSubject: "Nueva contraseña para Odograph",
  greeting: (name) => `Hola, ${name}:`,
  invited: (account, by) =>
    by === null
      ? `Invitación para ver los vehículos de ${account}.`
      : `Invitación de ${by} para ver vehículos de ${account}.`,
  reset: (account) => `Se ha pedido una nueva contraseña para el acceso a ${account}.`,
  accept: "Elegir una contraseña e iniciar sesión",
  choose: "Elegir una nueva contraseña",
  validUntil: (time) => `El enlace funciona una sola vez, hasta el ${time}.`,
  notExpected: "Si no se esperaba este mensaje, basta con ignorarlo: sin el enlace no ocurre nada.",
  notAsked: "Si no se ha pedido, basta con ignorar este mensaje: la contraseña no cambia.",
  emailChangedSubject: "Se ha cambiado el correo para Odograph",
  emailChanged: (account) =>
    `Se ha cambiado en el portal el correo del acceso a ${account}. Con esta dirección ya no se inicia sesión.`,
  notChanged:
    "Si el cambio no es propio, conviene avisar cuanto antes a quien administra este servidor: otra persona ha usado el acceso.",
};

const pt: LetterTexts = {
  invitationSubject: (account) => `Convite para ${account}`,
  resetSubject: "Nova senha para o Odograph",
  greeting: (name) => `Olá, ${name}!`,
  invited: (account, by) =>
    by === null
      ? `Você foi convidado a ver os veículos de ${account}.`
      : `${by} convida você a ver veículos de ${account}.`,
  reset: (account) => `Alguém pediu uma nova senha para o seu acesso a ${account}.`,
  accept: "Escolher uma senha e entrar",
  choose: "Escolher uma nova senha",
  validUntil: (time) => `O link funciona uma única vez, até ${time}.`,
  notExpected: "Se você não esperava esta mensagem, ignore-a: sem o link nada acontece.",
  notAsked: "Se não foi você, ignore esta mensagem: sua senha continua a mesma.",
  emailChangedSubject: "Seu e-mail para o Odograph foi alterado",
  emailChanged: (account) =>
    `O e-mail do seu acesso a ${account} foi alterado no portal. Este endereço não serve mais para entrar.`,
  notChanged: "Se não foi você, avise logo quem administra este servidor: outra pessoa usou o seu acesso.",
};

const de: LetterTexts = {
  invitationSubject: (account) => `Ihre Einladung zu ${account}`,
  resetSubject: "Neues Passwort für Odograph wählen",
  greeting: (name) => `Guten Tag ${name},`,
  invited: (account, by) =>
    by === null
      ? `Sie sind eingeladen, die Fahrzeuge von ${account} zu sehen.`
      : `${by} lädt Sie ein, Fahrzeuge von ${account} zu sehen.`,
  reset: (account) => `Jemand hat ein neues Passwort für Ihren Zugang zu ${account} angefordert.`,
  accept: "Passwort wählen und anmelden",
  choose: "Neues Passwort wählen",
  validUntil: (time) => `Der Link funktioniert einmal, bis ${time}.`,
  notExpected: "Wenn Sie das nicht erwartet haben, ignorieren Sie es: Ohne den Link geschieht nichts.",
  notAsked: "Wenn Sie das nicht waren, ignorieren Sie es: Ihr Passwort bleibt, wie es ist.",
  emailChangedSubject: "Ihre E-Mail für Odograph wurde geändert",
  emailChanged: (account) =>
    `Die E-Mail Ihres Zugangs zu ${account} wurde im Portal geändert. Mit dieser Adresse meldet man sich nicht mehr an.`,
  notChanged:
    "Wenn Sie das nicht waren, sagen Sie es sofort den Betreibern dieses Servers: Jemand anderes hat Ihren Zugang benutzt.",
};

export const letterTexts: Readonly<Record<LetterLanguage, LetterTexts>> = { en, es, pt, de };
