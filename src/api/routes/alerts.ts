import type { AlertRow } from "../../store/facts/alerts.ts";
import type { TimeKey } from "../../store/pages.ts";
import { pointGeometry } from "../formats/geojson.ts";
import { acknowledged, alertType, maxValue, minValue, severityParameter } from "../input/filters.ts";
import { filterValue } from "../lists/paging.ts";
import { rowsInSight } from "../lists/parts.ts";
import { searchedAlerts } from "../lists/searched-alerts.ts";
import { windowedList } from "../lists/windowed-list.ts";
import { alert } from "../records/alert.ts";
import type { Route } from "../route.ts";

export const listAlerts: Route = windowedList<AlertRow, TimeKey>({
  path: "/alerts",
  operationId: "listAlerts",
  tag: "Alerts",
  summary: "List alerts",
  description: "Alarms and events, in ascending `occurred_at`. To react to them, follow `/changes`.",
  scope: "alerts:read",
  record: alert,
  example: "/alerts?severity=warning&from=2026-03-17T00:00:00Z&to=2026-03-18T00:00:00Z",
  parameters: [acknowledged, severityParameter, alertType, minValue, maxValue],
  formats: { geojson: { idField: "alert_id", geometryOf: pointGeometry } },
  query(reader, visibility, page, requested) {
    const filtered = {
      ...page,
      acknowledged: filterValue(requested, acknowledged),
      severity: filterValue(requested, severityParameter),
      alertType: filterValue(requested, alertType),
      minValue: filterValue(requested, minValue),
      maxValue: filterValue(requested, maxValue),
    };
    return rowsInSight(reader, visibility, filtered, searchedAlerts);
  },
  keyOf: (row) => ({ at: row.occurred_at, id: row.id }),
});
