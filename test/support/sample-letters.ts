import { noPreferences } from "../../src/domain/preferences.ts";
import type { Alert } from "../../src/portal/both-sides/contract/data.ts";
import { Show, unitsOf } from "../../src/portal/both-sides/reading/show.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import type { Language } from "../../src/portal/both-sides/texts/texts.ts";
import type { Letter } from "../../src/portal/mail/compose.ts";
import { confirmationLetter, emailChangedLetter, letterOf } from "../../src/portal/mail/letters.ts";
import type { MailReader } from "../../src/portal/mail/reader.ts";
import { type AlertLetter, alertLetter, type MailedAlert } from "../../src/portal/notifications/alert-letter.ts";
import { testLetter } from "../../src/portal/notifications/test-letter.ts";
import { reportLetter } from "../../src/portal/planned-reports/report-letter.ts";
import { publicUrl } from "./notified-fleet.ts";

const zone = "Europe/Berlin";
const accountName = "Nordring Logistik GmbH";
const unsubscribeUrl = `${publicUrl}/portal/unsubscribe?t=${"x".repeat(64)}`;
const vehicleCount = 100;

const alert = {
  alert_id: "00000000-0000-4000-8000-000000000001",
  device_id: "00000000-0000-4000-8000-000000000002",
  alert_type: "speeding",
  severity: "critical",
  message: "Speed 112 km/h, where 80 km/h are allowed",
  occurred_at: "2026-05-04T08:00:00.000Z",
  ended_at: "2026-05-04T08:04:30.000Z",
  value: 112,
  threshold: 80,
  unit: "km/h",
  latitude: 52.44,
  longitude: 13.7,
} as unknown as Alert;

function mailed(change: Partial<Alert>, place: string | null): MailedAlert {
  return { alert: { ...alert, ...change }, event: "began", vehicle: "Sprinter 12 (B-NR 4712)", place };
}

function alertLetterOf(alerts: readonly MailedAlert[], reader: MailReader, more: Partial<AlertLetter> = {}): Letter {
  const where = { accountName, accountZone: zone, publicUrl, unsubscribeUrl };
  return alertLetter({ alerts, count: alerts.length, held: new Set(), ...where, ...more }, reader);
}

function report(reader: MailReader): Letter {
  const { common, reports } = reader.texts;
  const heads = [common.vehicle, reports.distance, "km/h", "Ø", common.from, common.to].map((text, index) => ({
    text,
    isNumeric: index > 0,
  }));
  const row = (index: number) => [`Sprinter ${index}`, "1.234,5 km", "112 km/h", "48 km/h", "08:00", "17:30"];
  const listed = Array.from({ length: vehicleCount }, (_, index) => row(index + 1));
  const totals = [reports.total, "12.345,6 km", "", "", "", ""];
  const file = { heads: heads.map(({ text }) => text), rows: listed, totals };
  const table = { title: null, counted: common.vehicles(vehicleCount, String(vehicleCount)), empty: "", heads, listed };
  return reportLetter(
    {
      name: "Montags",
      title: "Mileage",
      days: { from: "2026-05-04", to: "2026-05-10" },
      about: [common.allVehicles],
      tables: [{ ...table, totals, rowCount: vehicleCount, isCut: false, file: file as never }],
      accountName,
      accountZone: zone,
      reportUrl: `${publicUrl}/portal/reports/mileage?period=last-week`,
      plansUrl: `${publicUrl}/portal/reports/planned`,
      unsubscribeUrl,
    },
    reader,
  );
}

function readerIn(language: Language): MailReader {
  const texts = { en, es, pt, de }[language];
  return { language, texts, show: new Show(language, texts, unitsOf(noPreferences, noPreferences), zone) };
}

/** As many alerts as a mail lists. */
export function manyAlerts(): Letter {
  const place = "12 km northwest of Ludwigshafen am Rhein";
  return alertLetterOf(
    Array.from({ length: 100 }, () => mailed({}, place)),
    readerIn("en"),
  );
}

/** A letter of each kind, in a language. */
export function sampleLetters(language: Language) {
  const reader = readerIn(language);
  const link = { accountName, address: `${publicUrl}/portal/link#${"T".repeat(43)}`, timeZone: zone };
  const person = { ...link, name: "Olga Brandt", isConfirmed: true, expiresAt: Date.UTC(2026, 4, 4, 8) };
  const place = reader.texts.map.nearTown.nw("3 km", "Erkner");
  const fill = {
    alert_type: "fuel_drain",
    severity: "warning",
    message: "40 l taken from tank 1",
    value: 40,
    unit: "l",
  };
  const enter = { alert_type: "geofence_enter", severity: "info", message: "Entered North depot", ended_at: null };
  const many = [mailed({}, place), mailed(fill as Partial<Alert>, place), mailed(enter as Partial<Alert>, "Depot")];
  return {
    alert: alertLetterOf([mailed({}, place)], reader),
    warning: alertLetterOf([mailed({ severity: "warning", ended_at: null }, null)], reader),
    alerts: alertLetterOf(many, reader, { count: 140, held: new Set(["late", "limit"]) }),
    report: report(reader),
    invitation: letterOf({ ...person, purpose: "invitation", isConfirmed: false, invitedBy: "Olga Brandt" }, language),
    reset: letterOf({ ...person, purpose: "reset", invitedBy: null }, language),
    confirmation: confirmationLetter(person, language),
    changed: emailChangedLetter(language),
    test: testLetter(accountName, publicUrl, language),
  };
}
