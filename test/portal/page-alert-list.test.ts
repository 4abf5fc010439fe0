import { describe, expect, test } from "bun:test";
import type { Alert, Severity } from "../../src/portal/both-sides/contract/data.ts";
import {
  type AlertFilter,
  isCountable,
  isWanted,
  parametersOf,
  readAlertState,
  readSeverities,
  writeSeverities,
} from "../../src/portal/page/alerts/alert-filter.ts";
import {
  type Lanes,
  rowsOfLanes,
  withChanges,
  withOlderRows,
  withoutAlerts,
} from "../../src/portal/page/alerts/lanes.ts";

const minute = (count: number) => Date.UTC(2026, 10, 15, 8, count);

function alert(id: string, at: number, fields: Partial<Alert> = {}): Alert {
  const occurred_at = new Date(minute(at)).toISOString();
  const usual = { severity: "critical", alert_type: "sos", device_id: "van", acknowledged: false } as const;
  return { alert_id: id, occurred_at, ...usual, ...fields } as Alert;
}

function lane(olderThan: number | null, ...rows: Alert[]) {
  return { rows, olderThan: olderThan === null ? null : minute(olderThan), from: minute(0), pieceMs: 1 };
}

const open: AlertFilter = {
  state: "open",
  severities: ["critical", "warning"],
  alertType: "",
  vehicles: null,
  from: minute(0),
  to: null,
};

const put = (record: Alert) => ({ id: record.alert_id, record });
const idsOf = (lanes: Lanes) => rowsOfLanes(lanes).map(({ alert_id }) => alert_id);

describe("the list while it is open", () => {
  const lanes: Lanes = { critical: lane(10, alert("c", 30), alert("a", 20)), warning: lane(null) };

  test("takes up what is new in its place, the most serious first", () => {
    const warning = alert("w", 50, { severity: "warning" });
    const next = withChanges(lanes, [put(warning), put(alert("b", 25)), put(alert("d", 40))], open);
    expect(idsOf(next)).toEqual(["d", "c", "b", "a", "w"]);
  });

  test("leaves out what the filter leaves out, and what comes with the older ones", () => {
    const unwanted = [alert("i", 40, { severity: "info" }), alert("k", 40, { acknowledged: true }), alert("o", 5)];
    expect(idsOf(withChanges(lanes, unwanted.map(put), open))).toEqual(["c", "a"]);
  });

  test("puts older ones behind, unless it was loaded again meanwhile and ends elsewhere", () => {
    const older = lane(null, alert("o", 5));
    expect(idsOf(withOlderRows(lanes, "critical", minute(10), older))).toEqual(["c", "a", "o"]);
    const again: Lanes = { critical: lane(25, alert("c", 30)) };
    expect(withOlderRows(again, "critical", minute(10), older)).toBe(again);
  });

  test("keeps what a person has acknowledged, moves what got worse, and drops what was withdrawn", () => {
    const acknowledged = withChanges(lanes, [put(alert("c", 30, { acknowledged: true }))], open);
    expect(idsOf(acknowledged)).toEqual(["c", "a"]);
    expect(rowsOfLanes(acknowledged)[0]?.acknowledged).toBe(true);
    const milder = withChanges(lanes, [put(alert("c", 30, { severity: "warning" }))], open);
    expect(milder.critical?.rows.map(({ alert_id }) => alert_id)).toEqual(["a"]);
    expect(milder.warning?.rows.map(({ alert_id }) => alert_id)).toEqual(["c"]);
    expect(
      idsOf(
        withChanges(
          lanes,
          [
            { id: "a", record: null },
            { id: "unknown", record: null },
          ],
          open,
        ),
      ),
    ).toEqual(["c"]);
  });

  test("gets shorter by what was acknowledged together", () => {
    expect(idsOf(withoutAlerts(lanes, new Set(["c"])))).toEqual(["a"]);
  });
});

describe("the filters in the address", () => {
  test("say what is shown, and nothing of what is usual", () => {
    expect([null, "all", "acknowledged", "nonsense"].map(readAlertState)).toEqual([
      "open",
      "all",
      "acknowledged",
      "open",
    ]);
    const usual: Severity[] = ["critical", "warning"];
    expect(readSeverities(null)).toEqual(usual);
    expect(readSeverities("info,nonsense,critical")).toEqual(["critical", "info"]);
    expect(readSeverities("nonsense")).toEqual(usual);
    expect(writeSeverities(["warning", "critical"])).toBeNull();
    expect(writeSeverities(["info", "warning", "critical"])).toBe("critical,warning,info");
  });

  test("go to the API as far as it has them: one vehicle or all", () => {
    expect(parametersOf(open)).toEqual({ acknowledged: "false", alert_type: "", device_id: null });
    const one = { ...open, state: "all" as const, vehicles: new Set(["van"]) };
    expect(parametersOf(one)).toEqual({ acknowledged: null, alert_type: "", device_id: "van" });
    expect([open, one, { ...open, vehicles: new Set(["van", "car"]) }].map(isCountable)).toEqual([true, true, false]);
  });

  test("decide which new alert belongs into the list", () => {
    const van = alert("a", 20);
    const wanted = (filter: Partial<AlertFilter>) => isWanted({ ...open, ...filter }, van);
    expect(wanted({})).toBe(true);
    expect(wanted({ state: "acknowledged" })).toBe(false);
    expect(wanted({ severities: ["info"] })).toBe(false);
    expect(wanted({ alertType: "speeding" })).toBe(false);
    expect(wanted({ vehicles: new Set(["car"]) })).toBe(false);
    expect(wanted({ from: minute(21) })).toBe(false);
    expect(wanted({ to: minute(20) })).toBe(false);
  });
});
