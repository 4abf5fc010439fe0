import type { HoldReason } from "../../domain/notifications/due.ts";
import { plural } from "../both-sides/texts/plural.ts";
import type { Language } from "../both-sides/texts/texts.ts";

const en = {
  ended: (what: string) => `Ended: ${what}`,
  alerts: (count: number, shown: string) => plural(count, shown, "alert", "alerts"),
  vehicle: "Vehicle",
  place: "Place",
  began: "Began",
  over: "Ended",
  lasts: "still going on",
  showInPortal: "Show on the map",
  allAlerts: "Open the alerts in the portal",
  more: (count: number, shown: string) => `${plural(count, shown, "more alert", "more alerts")}, not listed here.`,
  held: {
    late: "Some of these became known late: the tracker sent them more than two hours afterwards.",
    unconfirmed: "Some of these waited until you had confirmed your address.",
    quiet: "Some of these came in your quiet hours, and waited until now.",
    limit: (perHour: string, perDay: string) =>
      `The limit is reached (${perHour} mails an hour to one person, ${perDay} a day from the account), so these were gathered.`,
  } satisfies Record<HoldReason, unknown>,
  chosen: (account: string) => `You get this mail because of a notification in the portal of ${account}.`,
  stop: "Stop these mails",
  change: "Change what you are notified of",
};

export type AlertLetterWords = typeof en;

const es: AlertLetterWords = {
  ended: (what) => `Finalizada: ${what}`,
  alerts: (count, shown) => plural(count, shown, "alerta", "alertas"),
  vehicle: "Vehículo",
  place: "Lugar",
  began: "Inicio",
  over: "Fin",
  lasts: "sigue en curso",
  showInPortal: "Ver en el mapa",
  allAlerts: "Abrir las alertas en el portal",
  more: (count, shown) => `${plural(count, shown, "alerta más", "alertas más")}, sin detallar aquí.`,
  held: {
    late: "Algunas se conocieron con retraso: el rastreador las envió más de dos horas después.",
    unconfirmed: "Algunas esperaron hasta que se confirmó la dirección de correo.",
    quiet: "Algunas llegaron en las horas de silencio y han esperado hasta ahora.",
    limit: (perHour, perDay) =>
      `Se alcanzó el límite (${perHour} correos por hora a una persona, ${perDay} al día de la cuenta), así que estas se han reunido.`,
  },
  chosen: (account) => `Este correo llega por una notificación del portal de ${account}.`,
  stop: "No recibir más estos correos",
  change: "Cambiar las notificaciones",
};

const pt: AlertLetterWords = {
  ended: (what) => `Encerrado: ${what}`,
  alerts: (count, shown) => plural(count, shown, "alerta", "alertas"),
  vehicle: "Veículo",
  place: "Local",
  began: "Início",
  over: "Fim",
  lasts: "ainda em curso",
  showInPortal: "Ver no mapa",
  allAlerts: "Abrir os alertas no portal",
  more: (count, shown) => `${plural(count, shown, "outro alerta", "outros alertas")}, sem detalhes aqui.`,
  held: {
    late: "Alguns foram conhecidos com atraso: o rastreador os enviou mais de duas horas depois.",
    unconfirmed: "Alguns esperaram até você confirmar seu endereço.",
    quiet: "Alguns chegaram no seu horário de silêncio e esperaram até agora.",
    limit: (perHour, perDay) =>
      `O limite foi atingido (${perHour} e-mails por hora para uma pessoa, ${perDay} por dia da conta), por isso estes foram reunidos.`,
  },
  chosen: (account) => `Você recebe este e-mail por causa de uma notificação no portal de ${account}.`,
  stop: "Parar de receber estes e-mails",
  change: "Alterar as notificações",
};

const de: AlertLetterWords = {
  ended: (what) => `Beendet: ${what}`,
  alerts: (count, shown) => plural(count, shown, "Alarm", "Alarme"),
  vehicle: "Fahrzeug",
  place: "Ort",
  began: "Beginn",
  over: "Ende",
  lasts: "dauert an",
  showInPortal: "Auf der Karte anzeigen",
  allAlerts: "Alarme im Portal öffnen",
  more: (count, shown) => `${plural(count, shown, "weiterer Alarm", "weitere Alarme")}, hier nicht aufgeführt.`,
  held: {
    late: "Einige davon wurden spät bekannt: Der Tracker hat sie mehr als zwei Stunden danach gesendet.",
    unconfirmed: "Einige davon haben gewartet, bis Sie Ihre Adresse bestätigt hatten.",
    quiet: "Einige davon kamen in Ihren Ruhezeiten und haben bis jetzt gewartet.",
    limit: (perHour, perDay) =>
      `Die Höchstzahl an E-Mails ist erreicht (${perHour} je Stunde und Person, ${perDay} je Tag und Konto), daher wurden diese Alarme gesammelt.`,
  },
  chosen: (account) =>
    `Sie erhalten diese E-Mail, weil im Portal von ${account} eine Benachrichtigung dafür eingestellt ist.`,
  stop: "Diese E-Mails abbestellen",
  change: "Benachrichtigungen ändern",
};

export const alertLetterWords: Readonly<Record<Language, AlertLetterWords>> = { en, es, pt, de };
