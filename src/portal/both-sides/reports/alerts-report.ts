import { alertSentence, bySeverity, typeWords } from "../alerts/alert-words.ts";
import type { Alert } from "../contract/data.ts";
import { downloadLinks } from "./files/download-links.ts";
import type { ListReport } from "./report.ts";
import { alertSource } from "./row-source.ts";

/** Every alert of the period, open or acknowledged. To work through them there is the page Alerts. */
export const alertsReport: ListReport<Alert> = {
  words: ({ reports }) => ({ caption: reports.kinds.alerts, count: reports.alerts, empty: reports.noAlerts }),
  defaultSort: { column: "time", isDescending: false },
  keyOf: ({ alert_id }) => alert_id,
  filter: {
    name: "severity",
    options: bySeverity,
    words: ({ alerts }) => ({
      label: alerts.severity,
      options: { all: alerts.states.all, ...alerts.severities },
    }),
  },
  source: ({ list, filter }) => alertSource(list, filter),
  files: (scope, _, filter) => downloadLinks(scope, "alerts", ["csv", "geojson"], filter),
  columns: (write) => {
    const { show, texts } = write;
    const { reports: words, common, alerts: alertWords } = texts;
    const sentence = (alert: Alert) => alertSentence(alert, alertWords, show) ?? common.unknown;
    return [
      write.moment("time", words.time, ({ device_id, occurred_at }) => [device_id, occurred_at]),
      write.vehicle(({ device_id, imei }) => [device_id, imei]),
      {
        id: "severity",
        title: alertWords.severity,
        cell: ({ severity }) => ({ kind: "severity", severity, text: alertWords.severities[severity] }),
        file: ({ severity }) => alertWords.severities[severity],
        value: ({ severity }) => -bySeverity.indexOf(severity),
      },
      write.text("type", alertWords.type, ({ alert_type }) => typeWords(alert_type, alertWords)),
      { id: "what", title: words.what, cell: sentence, file: sentence },
      write.place("place", words.place, ({ latitude, longitude }) =>
        latitude === null || longitude === null ? null : { latitude, longitude },
      ),
      {
        ...write.duration("duration", words.duration, (alert) => {
          const seconds = alertSeconds(alert) ?? 0;
          return seconds < 60 ? null : seconds;
        }),
        value: alertSeconds,
      },
      write.time(
        "acknowledged",
        alertWords.states.acknowledged,
        ({ acknowledged_at }) => acknowledged_at,
        common.unknown,
      ),
    ];
  },
};

export function alertSeconds({ occurred_at, ended_at }: Alert): number | null {
  return ended_at === null ? null : (Date.parse(ended_at) - Date.parse(occurred_at)) / 1000;
}
