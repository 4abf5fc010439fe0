import type { ToolRow } from "../../src/api/mcp/tool-fields.ts";

/** Asks one tool, and gives the rows of its answer. */
export type AskTool = (tool: string, given?: Record<string, unknown>) => Promise<readonly ToolRow[]>;

export interface FleetQuestion {
  /** What the manager of a fleet asks. */
  readonly question: string;
  /** Tools and arguments (`tool.argument`) without which it takes more than two calls. */
  readonly needs?: readonly string[];
  /** The calls that an assistant makes, and what it says then. Empty: it could not say. */
  readonly answer: (ask: AskTool) => Promise<string>;
}

/** The demo's days: a Monday to a Wednesday of last month. "Yesterday" is the Wednesday. */
const week = { from: "2026-10-26", to: "2026-10-29" };
const yesterday = { from: "2026-10-28", to: "2026-10-29" };
const lastMonth = { from: "2026-10-01", to: "2026-11-01" };

const sum = (rows: readonly ToolRow[], field: string) =>
  rows.reduce((total, row) => total + Number(row[field] ?? 0), 0);
const hours = (seconds: number) => `${(seconds / 3600).toFixed(1)} h`;
const most = (rows: readonly ToolRow[], field: string) =>
  rows.toSorted((one, other) => Number(other[field]) - Number(one[field]));
const named = (rows: readonly ToolRow[]) => rows.map((row) => row.device_name ?? row.name ?? row.device_id).join(", ");

/** The middle of a fence, by its bounds. */
function middle(fences: readonly ToolRow[], name: string): string {
  const [west = 0, south = 0, east = 0, north = 0] = (fences.find((fence) => fence.name === name)?.bbox ??
    []) as number[];
  return `${((south + north) / 2).toFixed(5)},${((west + east) / 2).toFixed(5)}`;
}

export const drivers = [
  { name: "Amara Okafor", vehicle: "Van 01" },
  { name: "Ben Adler", vehicle: "Van 02" },
  { name: "Chiara Conti", vehicle: "Van 03" },
] as const;

export const fleetQuestions: readonly FleetQuestion[] = [
  {
    question: "How much did each vehicle drive last month?",
    needs: ["report_mileage_sums"],
    answer: async (ask) => {
      const rows = await ask("report_mileage_sums", lastMonth);
      return rows.length === 0 ? "" : `${rows.length} vehicles, ${sum(rows, "distance_km").toFixed(0)} km`;
    },
  },
  {
    question: "Which van was nearest to the south depot yesterday at noon?",
    needs: ["list_positions_at"],
    answer: async (ask) => {
      const near = middle(await ask("list_geofences"), "South depot");
      const [van] = await ask("list_positions_at", {
        time: "2026-10-28T12:00:00+01:00",
        near,
        tag: "parcel",
        limit: 3,
      });
      return van ? `${van.device_name ?? van.device_id}, ${Number(van.distance_m).toFixed(0)} m away` : "";
    },
  },
  {
    question: "How long did Van 03 stand at the south depot this week?",
    needs: ["list_stops.geofence_id"],
    answer: async (ask) => {
      const stops = await ask("list_stops", { ...week, device_id: "Van 03", geofence_id: "South depot" });
      return stops.length === 0 ? "" : `${hours(sum(stops, "duration_s"))} in ${stops.length} stops`;
    },
  },
  {
    question: "Where are all vehicles now, and which of them drive?",
    answer: async (ask) => {
      const rows = await ask("list_latest_positions");
      return rows.length === 0
        ? ""
        : `${rows.length} vehicles, ${rows.filter((row) => Number(row.speed_kmh) > 5).length} drive`;
    },
  },
  {
    question: "When did Van 01 begin and end its work yesterday?",
    answer: async (ask) => {
      const trips = await ask("list_trips", { ...yesterday, device_id: "Van 01" });
      return trips.length === 0 ? "" : `${trips[0]?.started_at} to ${trips.at(-1)?.ended_at}, ${trips.length} trips`;
    },
  },
  {
    question: "Which three vehicles idled the most yesterday?",
    answer: async (ask) => {
      const [first, second, third] = most(await ask("report_mileage", yesterday), "idle_s");
      return first && second && third ? `${named([first, second, third])}: ${hours(Number(first.idle_s))} at most` : "";
    },
  },
  {
    question: "Who drove 140 km/h or more this week?",
    needs: ["list_alerts.min_value"],
    answer: async (ask) => {
      const alerts = await ask("list_alerts", { ...week, alert_type: "speeding", min_value: 140 });
      return alerts.length === 0
        ? ""
        : `${new Set(alerts.map((alert) => alert.device_name)).size} vehicles: ${named(alerts.slice(0, 3))}`;
    },
  },
  {
    question: "How long do the vehicles of each kind drive and idle in a week?",
    needs: ["report_mileage_sums.group_by"],
    answer: async (ask) => {
      const rows = await ask("report_mileage_sums", { ...week, group_by: "tag" });
      return most(rows, "driving_s")
        .slice(0, 3)
        .map((row) => `${row.tag} ${hours(Number(row.driving_s))}`)
        .join(", ");
    },
  },
  {
    question: "Did Reefer 01 stay cold yesterday?",
    answer: async (ask) => {
      const alerts = await ask("list_alerts", { ...yesterday, device_id: "Reefer 01" });
      const morning = { from: "2026-10-28T08:00:00Z", to: "2026-10-28T09:00:00Z" };
      const readings = await ask("list_sensor_readings", { kind: "temperature", device_id: "Reefer 01", ...morning });
      const warm = alerts.filter(({ alert_type }) => String(alert_type).includes("temperature"));
      return readings.length === 0 ? "" : `${warm.length} alerts; ${readings[0]?.temperature_c} °C at 8`;
    },
  },
  {
    question: "Which vehicles did not move yesterday?",
    answer: async (ask) => {
      const devices = await ask("list_devices", { fields: "name", limit: 100 });
      const rows = await ask("report_mileage", { ...yesterday, fields: "name,distance_km" });
      const moved = new Set(rows.filter(isMoved).map((row) => row.name));
      const parked = devices.filter(({ name }) => !moved.has(name));
      return `${devices.length - parked.length} moved; ${parked.length === 0 ? "none stood still" : named(parked)}`;
    },
  },
  {
    question: "How many kilometres did each driver drive this week?",
    answer: async (ask) => {
      const rows = await ask("report_mileage_sums", { ...week, group_by: "driver" });
      return rows
        .filter(({ driver_name }) => driver_name)
        .map((row) => `${row.driver_name} ${Number(row.distance_km).toFixed(0)} km`)
        .join(", ");
    },
  },
  {
    question: "When did Amara start driving yesterday?",
    answer: async (ask) => {
      const [first] = await ask("list_trips", { ...yesterday, driver_id: "Amara" });
      return first ? `at ${first.started_at} in ${first.device_name}` : "";
    },
  },
  {
    question: "Which drivers were at work yesterday, and in which vehicles?",
    answer: async (ask) => {
      const rows = await ask("list_drivers", { fields: "name,last_seen_at" });
      return rows.map(({ name, last_seen_at }) => `${name} until ${last_seen_at}`).join(", ");
    },
  },
  {
    question: "Who drove Van 02 on Tuesday?",
    answer: async (ask) => {
      const trips = await ask("list_trips", {
        from: "2026-10-27",
        to: "2026-10-28",
        device_id: "van 2",
        fields: "driver_name",
      });
      return [...new Set(trips.map(({ driver_name }) => driver_name))].join(", ");
    },
  },
  {
    question: "Did anybody press the panic button this week?",
    answer: async (ask) => {
      const alerts = await ask("list_alerts", { ...week, alert_type: "SOS" });
      return `${alerts.length} times`;
    },
  },
  {
    question: "Which trackers lost contact this week?",
    answer: async (ask) => {
      const alerts = await ask("list_alerts", { ...week, alert_type: "device_offline" });
      return alerts.length === 0 ? "none" : named(alerts);
    },
  },
  {
    question: "How far did the whole fleet drive on each day?",
    answer: async (ask) => {
      const rows = await ask("report_mileage_sums", { ...week, group_by: "fleet", period: "day" });
      return rows.map((row) => `${row.period_start} ${Number(row.distance_km).toFixed(0)} km`).join(", ");
    },
  },
  {
    question: "Which vehicle is nearest to Van 01 now?",
    answer: async (ask) => {
      const [, next] = await ask("list_latest_positions", { near: "Van 1", limit: 2 });
      return next ? `${next.name}, ${Number(next.distance_m).toFixed(0)} m` : "";
    },
  },
  {
    question: "Which vans visited the south depot on Wednesday before 9 in the morning?",
    answer: async (ask) => {
      const stops = await ask("list_stops", {
        ...{ from: "2026-10-28T00:00", to: "2026-10-28T09:00", geofence_id: "south depot", tag: "Parcel" },
        ...{ fields: "started_at", limit: 60 },
      });
      return stops.length === 0 ? "" : `${new Set(stops.map(({ device_name }) => device_name)).size} vans`;
    },
  },
  {
    question: "Is the data up to date, and in which time zone is the fleet?",
    answer: async (ask) => {
      const me = (await ask("get_me")) as unknown as { account: { time_zone: string }; newest_frame_at: string };
      return `${me.account.time_zone}, newest ${me.newest_frame_at}`;
    },
  },
];

function isMoved(row: ToolRow): boolean {
  return Number(row.distance_km) > 0;
}
