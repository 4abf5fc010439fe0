import { createApi } from "../../src/api/server.ts";
import type { ReportFilters } from "../../src/domain/notifications/planned-report.ts";
import { dayMs } from "../../src/domain/time/time.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { MailerTimes } from "../../src/portal/mail-queue/mailer.ts";
import { startReportMailer } from "../../src/portal/planned-reports/report-mailer.ts";
import type { Database } from "../../src/store/database.ts";
import { type PlannedReportRow, savePlan } from "../../src/store/notifications/planned-reports.ts";
import type { EngineUnderTest, FreshDatabase } from "./engines.ts";
import { straightDrive } from "./ingest-drive.ts";
import { carImei, home, imeis, truckImei, vanImei } from "./ingest-fleet.ts";
import { accountNumber } from "./ingest-node.ts";
import type { ReceivedMail } from "./mail-server.ts";
import { mailTo, type NotifyingNode, notifiedFleet, olgaId, publicUrl } from "./notified-fleet.ts";
import { until } from "./patience.ts";

const noFilters: ReportFilters = {
  view: null,
  sort: null,
  choice: null,
  driver: null,
  fence: null,
  tags: [],
  vehicles: [],
};

export interface PlanWish extends Partial<Omit<PlannedReportRow, "account_id" | "filters_json">> {
  readonly filters?: Partial<ReportFilters>;
  readonly to?: readonly string[];
}

export interface ReportedFleet extends FreshDatabase {
  readonly clock: { now: number };
  /** A report that is due now, unless the wish says otherwise. Returns its id. */
  plan(wish?: PlanWish): Promise<string>;
  node(port: number, times?: Partial<MailerTimes>, on?: Database): Promise<NotifyingNode>;
}

/** The day before the clock's, in UTC, which is the account's zone. */
export function yesterdayOf(now: number): string {
  return new Date(now - dayMs).toISOString().slice(0, 10);
}

/** Each of the three vehicles drove for so many minutes yesterday at 9:00. The clock shows 7:00 of today. */
const minutesDriven = { [vanImei]: 20, [truckImei]: 30, [carImei]: 40 } as const;

export async function reportedFleet(engine: EngineUnderTest): Promise<ReportedFleet> {
  const { clock, store, ...fleet } = await notifiedFleet(engine);
  const { database } = fleet;
  const accountId = await accountNumber(database);
  const midnight = Math.floor(clock.now / dayMs) * dayMs;
  clock.now = midnight + 7 * 3_600_000;
  const beginAt = midnight - dayMs + 9 * 3_600_000;
  for (const imei of imeis) {
    const minutes = minutesDriven[imei as keyof typeof minutesDriven] ?? 10;
    const parked = straightDrive({
      imei,
      from: home,
      beginAt: beginAt + 3_600_000,
      minutes: 30,
      kmh: 0,
      ignition: false,
    });
    await store([...straightDrive({ imei, from: home, beginAt, minutes, kmh: 90 }), ...parked]);
  }
  return {
    ...fleet,
    clock,
    async plan({ filters, to = [olgaId], ...fields } = {}) {
      const id = crypto.randomUUID();
      const row: PlannedReportRow = {
        account_id: accountId,
        id,
        name: "Every day",
        report: "trips",
        filters_json: JSON.stringify({ ...noFilters, ...filters }),
        cadence: "day",
        hour: 6,
        next_at: midnight + 6 * 3_600_000,
        paused_at: null,
        created_by: olgaId,
        created_at: clock.now - 2 * dayMs,
        updated_at: clock.now - 2 * dayMs,
        ...fields,
      };
      await database.transaction((tx) => savePlan(tx, row, to, new Set()));
      return id;
    },
    async node(port, times = {}, on = database) {
      const seen: Observation[] = [];
      const observe = (fact: Observation) => void seen.push(fact);
      const api = await createApi({ database: on, counters: on, observe });
      const end = startReportMailer({
        database: on,
        api,
        mail: mailTo(port),
        publicUrl,
        observe,
        now: async () => clock.now,
        times: { pauseMs: 10, measureMs: 0, lease: { renewMs: 100, validMs: 1_000 }, ...times },
      });
      const passes = () => seen.filter(({ kind }) => kind === "reports_measured").length;
      return {
        seen,
        async settled() {
          // The pass under way may have begun before.
          const before = passes();
          await until(() => passes() >= before + 2);
        },
        async stop() {
          await end();
          await api.close();
        },
      };
    },
  };
}

/** The files of a mail, by name. */
export function filesOf({ text }: ReceivedMail): Map<string, string> {
  const parts = text.split(/\r\n--[^\r\n]+\r\n/);
  return new Map(
    parts.flatMap((part): [string, string][] => {
      const [head = "", body = ""] = part.split("\r\n\r\n");
      const name = /filename="?([^"\r\n]+)"?/.exec(head)?.[1];
      return name === undefined ? [] : [[name, Buffer.from(body, "base64").toString("utf8")]];
    }),
  );
}
