import type { Preferences } from "../../domain/preferences.ts";

export type LetterLanguage = NonNullable<Preferences["language"]>;

const en = {
  invitationSubject: (account: string) => `Odograph: your invitation to ${account}`,
  resetSubject: "Choose a new password for Odograph",
  greeting: "Hello,",
  greetingOf: (name: string) => `Hello ${name},`,
  invited: (account: string, by: string | null) =>
    by === null
      ? `You are invited to see the vehicles of ${account}.`
      : `${by} invites you to see vehicles of ${account}.`,
  reset: (account: string) => `A new password was requested for your access to ${account}.`,
  /** Where nobody has confirmed the address: what people chose is left out. */
  resetOfAny: "A new password was requested for an access to Odograph with this address.",
  /** What the link does; before a colon, and as the text of the link. */
  accept: "Choose a password and sign in",
  choose: "Choose a new password",
  validUntil: (time: string) => `The link works once, until ${time}.`,
  notExpected: "If you did not expect this, ignore it: without the link nothing happens.",
  notAsked: "If it was not you, ignore this: your password stays as it is.",
  confirmSubject: "Odograph: confirm your e-mail address",
  confirm:
    "Alerts or reports of a fleet are to be mailed to this address. They are not, until you have confirmed that it is yours.",
  confirmAction: "Confirm this address",
  validFor: (time: string) => `The link works until ${time}.`,
  notConfirmed: "If you did not expect this, ignore it: without the link nothing is mailed to you.",
  emailChangedSubject: "Your e-mail for Odograph was changed",
  emailChanged: "The e-mail of your access to the fleet portal was changed there. This address no longer signs in.",
  notChanged: "If it was not you, tell the people who run this server at once: another person used your access.",
};

type LetterTexts = Readonly<typeof en>;

const es: LetterTexts = {
  invitationSubject: (account) => `Odograph: invitación a ${account}`,
  resetSubject: "Nueva contraseña para Odograph",
  greeting: "Hola:",
  greetingOf: (name) => `Hola, ${name}:`,
  invited: (account, by) =>
    by === null
      ? `Invitación para ver los vehículos de ${account}.`
      : `Invitación de ${by} para ver vehículos de ${account}.`,
  reset: (account) => `Se ha pedido una nueva contraseña para el acceso a ${account}.`,
  resetOfAny: "Se ha pedido una nueva contraseña para un acceso a Odograph con esta dirección.",
  accept: "Elegir una contraseña e iniciar sesión",
  choose: "Elegir una nueva contraseña",
  validUntil: (time) => `El enlace funciona una sola vez, hasta el ${time}.`,
  notExpected: "Si no se esperaba este mensaje, basta con ignorarlo: sin el enlace no ocurre nada.",
  notAsked: "Si no se ha pedido, basta con ignorar este mensaje: la contraseña no cambia.",
  confirmSubject: "Odograph: confirmar la dirección de correo",
  confirm:
    "A esta dirección se van a enviar alertas o informes de una flota. No se envía nada hasta confirmar que la dirección es propia.",
  confirmAction: "Confirmar esta dirección",
  validFor: (time) => `El enlace funciona hasta el ${time}.`,
  notConfirmed: "Si no se esperaba este mensaje, basta con ignorarlo: sin el enlace no se envía nada.",
  emailChangedSubject: "Se ha cambiado el correo para Odograph",
  emailChanged:
    "Se ha cambiado en el portal el correo del acceso a la flota. Con esta dirección ya no se inicia sesión.",
  notChanged:
    "Si el cambio no es propio, conviene avisar cuanto antes a quien administra este servidor: otra persona ha usado el acceso.",
};

const pt: LetterTexts = {
  invitationSubject: (account) => `Odograph: convite para ${account}`,
  resetSubject: "Nova senha para o Odograph",
  greeting: "Olá!",
  greetingOf: (name) => `Olá, ${name}!`,
  invited: (account, by) =>
    by === null
      ? `Você foi convidado a ver os veículos de ${account}.`
      : `${by} convida você a ver veículos de ${account}.`,
  reset: (account) => `Alguém pediu uma nova senha para o seu acesso a ${account}.`,
  resetOfAny: "Alguém pediu uma nova senha para um acesso ao Odograph com este endereço.",
  accept: "Escolher uma senha e entrar",
  choose: "Escolher uma nova senha",
  validUntil: (time) => `O link funciona uma única vez, até ${time}.`,
  notExpected: "Se você não esperava esta mensagem, ignore-a: sem o link nada acontece.",
  notAsked: "Se não foi você, ignore esta mensagem: sua senha continua a mesma.",
  confirmSubject: "Odograph: confirme seu endereço de e-mail",
  confirm:
    "Alertas ou relatórios de uma frota devem ser enviados a este endereço. Nada é enviado antes de você confirmar que ele é seu.",
  confirmAction: "Confirmar este endereço",
  validFor: (time) => `O link funciona até ${time}.`,
  notConfirmed: "Se você não esperava esta mensagem, ignore-a: sem o link nada é enviado a você.",
  emailChangedSubject: "Seu e-mail para o Odograph foi alterado",
  emailChanged: "O e-mail do seu acesso à frota foi alterado no portal. Este endereço não serve mais para entrar.",
  notChanged: "Se não foi você, avise logo quem administra este servidor: outra pessoa usou o seu acesso.",
};

const de: LetterTexts = {
  invitationSubject: (account) => `Odograph: Ihre Einladung zu ${account}`,
  resetSubject: "Neues Passwort für Odograph wählen",
  greeting: "Guten Tag,",
  greetingOf: (name) => `Guten Tag ${name},`,
  invited: (account, by) =>
    by === null
      ? `Sie sind eingeladen, die Fahrzeuge von ${account} zu sehen.`
      : `${by} lädt Sie ein, Fahrzeuge von ${account} zu sehen.`,
  reset: (account) => `Jemand hat ein neues Passwort für Ihren Zugang zu ${account} angefordert.`,
  resetOfAny: "Jemand hat ein neues Passwort für einen Zugang zu Odograph mit dieser Adresse angefordert.",
  accept: "Passwort wählen und anmelden",
  choose: "Neues Passwort wählen",
  validUntil: (time) => `Der Link gilt einmal, bis ${time}.`,
  notExpected: "Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie: Ohne den Link geschieht nichts.",
  notAsked: "Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.",
  confirmSubject: "Odograph: E-Mail-Adresse bestätigen",
  confirm:
    "An diese Adresse sollen Alarme oder Berichte einer Flotte gesendet werden. Das geschieht erst, wenn Sie bestätigt haben, dass es Ihre ist.",
  confirmAction: "Diese Adresse bestätigen",
  validFor: (time) => `Der Link gilt bis ${time}.`,
  notConfirmed:
    "Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie: Ohne den Link wird Ihnen nichts gesendet.",
  emailChangedSubject: "Ihre E-Mail-Adresse für Odograph wurde geändert",
  emailChanged:
    "Die E-Mail-Adresse Ihres Zugangs zum Flottenportal wurde dort geändert. Mit der bisherigen können Sie sich nicht mehr anmelden.",
  notChanged:
    "Wenn Sie das nicht waren, wenden Sie sich sofort an die Betreiber dieses Servers: Jemand anderes hat Ihren Zugang benutzt.",
};

export const letterTexts: Readonly<Record<LetterLanguage, LetterTexts>> = { en, es, pt, de };
