import { useMemo } from "react";
import { severities } from "../../../domain/alert-types.ts";
import { alertSentence, typeWords } from "../alerts/alert-words.ts";
import { SeveritySign } from "../alerts/severity-sign.tsx";
import type { Alert } from "../api/records.ts";
import { useAddress } from "../common/address.ts";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Column } from "./column.ts";
import { ListReport } from "./list-report.tsx";
import { type ListScope, listSource } from "./list-source.ts";
import { MomentLink } from "./moment-link.tsx";
import { offerOf } from "./offer.ts";
import type { RowSource } from "./row-source.ts";
import { type ReportScope, vehicleName } from "./scope.ts";
import { useSort } from "./use-sort.ts";
import { ViewSwitch } from "./view-switch.tsx";

const usual = { column: "time", isDescending: false };

/** Every alert of the period, open or acknowledged. To work through them there is the page Alerts. */
export function AlertsReport({ scope }: { readonly scope: ReportScope }) {
  const { reports: words, common, alerts: alertWords } = useTexts();
  const { get, set } = useAddress();
  const severity = severities.find((name) => name === get("severity")) ?? null;
  const columns = useAlertColumns(scope);
  const order = useSort(columns, usual);
  const { list } = scope;
  const open = useMemo(() => list && (() => alertSource(list, { severity })), [list, severity]);
  return (
    <>
      <ViewSwitch
        name="severity"
        label={alertWords.severity}
        options={["all", "critical", "warning", "info"]}
        words={{ all: common.all, ...alertWords.severities }}
        value={severity ?? "all"}
        onChange={(chosen) => set({ severity: chosen === "all" ? null : chosen })}
      />
      <ListReport
        caption={words.kinds.alerts}
        columns={columns}
        keyOf={({ alert_id }) => alert_id}
        open={open}
        order={order}
        count={words.alerts}
        downloads={offerOf(scope, "alerts", ["csv", "geojson"], severity === null ? {} : { severity })}
        emptyText={words.noAlerts}
      />
    </>
  );
}

export function alertSource(list: ListScope, parameters: Readonly<Record<string, string | null>>): RowSource<Alert> {
  return listSource<Alert, Alert>(list, {
    path: "alerts",
    parameters,
    timeOf: ({ occurred_at }) => occurred_at,
    rowsOf: (alerts) => alerts,
  });
}

export function alertSeconds({ occurred_at, ended_at }: Alert): number | null {
  return ended_at === null ? null : (Date.parse(ended_at) - Date.parse(occurred_at)) / 1000;
}

const rank = { critical: 2, warning: 1, info: 0 };

function useAlertColumns({ devices, zone }: ReportScope): readonly Column<Alert>[] {
  const { reports: words, common, alerts: alertWords } = useTexts();
  const show = useShow();
  return useMemo(() => {
    const nameOf = ({ device_id, imei }: Alert) => vehicleName(devices, device_id, imei);
    const typeOf = ({ alert_type }: Alert) => typeWords(alert_type, alertWords);
    const columns: Column<Alert>[] = [
      {
        id: "time",
        title: words.time,
        isHead: true,
        cell: ({ device_id, occurred_at }) => <MomentLink deviceId={device_id} at={occurred_at} zone={zone} />,
        value: ({ occurred_at }) => Date.parse(occurred_at),
      },
      { id: "vehicle", title: common.vehicle, cell: nameOf, value: nameOf },
      {
        id: "severity",
        title: alertWords.severity,
        cell: ({ severity }) => (
          <span className={`report-severity severity-${severity}`}>
            <SeveritySign severity={severity} /> {alertWords.severities[severity]}
          </span>
        ),
        value: ({ severity }) => rank[severity],
      },
      { id: "type", title: alertWords.type, cell: typeOf, value: typeOf },
      { id: "what", title: words.what, cell: (alert) => alertSentence(alert, alertWords, show) ?? common.unknown },
      {
        id: "duration",
        title: words.duration,
        isFigure: true,
        cell: (alert) => durationText(alertSeconds(alert)),
        value: alertSeconds,
      },
      {
        id: "acknowledged",
        title: alertWords.states.acknowledged,
        cell: ({ acknowledged_at }) => (acknowledged_at === null ? common.unknown : <Time at={acknowledged_at} />),
        value: ({ acknowledged_at }) => (acknowledged_at === null ? null : Date.parse(acknowledged_at)),
      },
    ];
    return columns;

    function durationText(seconds: number | null): string {
      return seconds === null || seconds < 60 ? common.unknown : show.duration(seconds);
    }
  }, [words, common, alertWords, show, devices, zone]);
}
