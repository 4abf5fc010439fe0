import { z } from "zod";
import { cadences } from "../../domain/notifications/planned-report.ts";
import { isText } from "../../domain/text/text.ts";
import type { ReportKind } from "../both-sides/reports/report-title.ts";
import { maxSensorVehicles } from "../both-sides/reports/sensors/sensor-columns.ts";
import { oneId, tagList, uuidList } from "../request-fields.ts";
import { reportKinds, viewsOf } from "./reports.ts";

const maxDevices = 200;
const maxTags = 50;
const maxReceivers = 50;

const maxNameLength = 100;
const nameExpected = `expected a name of at most ${maxNameLength} characters`;

/** A word of an address, or null. */
function word(expected: string) {
  return z
    .string({ error: expected })
    .refine((text) => isText(text, 1, 100), { error: expected })
    .nullable()
    .default(null);
}

const tags = tagList(maxTags, `expected at most ${maxTags} tags`).default([]);

const kinds = reportKinds as readonly [ReportKind, ...ReportKind[]];

const receiversExpected = `expected the ids of 1 to ${maxReceivers} people`;
const hourExpected = "expected an hour from 0 to 23";

/** A report that is to be mailed regularly. */
export const planFields = z
  .object({
    name: z
      .string({ error: nameExpected })
      .trim()
      .refine((text) => isText(text, 1, maxNameLength), { error: nameExpected }),
    report: z.enum(kinds, { error: `expected one of ${kinds.join(", ")}` }),
    view: word("expected a view of the report, or null"),
    sort: word("expected a column of the report, or null"),
    choice: word("expected a choice of the report, or null"),
    driver: word("expected the name or id of a driver, or null"),
    fence: oneId("expected the id of a fence, or null").nullable().default(null),
    tags,
    device_ids: uuidList(maxDevices, `expected the ids of at most ${maxDevices} vehicles`),
    cadence: z.enum(cadences, { error: `expected one of ${cadences.join(", ")}` }),
    hour: z.int({ error: hourExpected }).min(0, hourExpected).max(23, hourExpected).default(6),
    /** Null: those who got it before; a new one only the person who asks. */
    user_ids: z
      .union([z.null(), uuidList(maxReceivers, receiversExpected)], { error: receiversExpected })
      .default(null),
    is_paused: z.boolean({ error: "expected true or false" }).default(false),
  })
  .refine(({ report, view }) => view === null || viewsOf(report).includes(view), {
    path: ["view"],
    error: "expected a view of the report, or null",
  })
  .refine(({ report, device_ids: { length } }) => report !== "sensors" || (length > 0 && length <= maxSensorVehicles), {
    path: ["device_ids"],
    error: `expected 1 to ${maxSensorVehicles} vehicles: a report of sensors is of each`,
  });

export type PlanFields = z.output<typeof planFields>;

export const receiptFields = z.object({ is_stopped: z.boolean({ error: "expected true or false" }) });
