import { z } from "zod";
import type { MeterReading } from "../../access/meter.ts";
import type { Scope } from "../../domain/scopes.ts";
import { dayMs, formatInstant } from "../../domain/time/time.ts";
import type { CallerKeyRow, CallerRow } from "../../store/access/caller.ts";
import { count, instantText, timeOrNull, uuidText } from "./fields.ts";
import { apiRecord, field } from "./record.ts";
import { scopeText } from "./scope.ts";
import { story, thatMorning } from "./story.ts";
import { instantOrNull } from "./values.ts";

export interface CallerRecordRow {
  readonly who: CallerRow;
  /** Null: a person who is signed in. */
  readonly key: CallerKeyRow | null;
  readonly limits: MeterReading;
  readonly newestFrameAt: number | null;
}

const account = z
  .strictObject({
    account_id: uuidText.describe("The account's id."),
    name: z.string().describe("Its name."),
    time_zone: z.string().describe("The IANA time zone by which its days are counted; `UTC` unless it has one."),
  })
  .meta({ id: "CallerAccount", description: "The account that the key belongs to." });

const user = z
  .strictObject({
    user_id: uuidText.describe("The user's id."),
    name: z.string().describe("Their name."),
    role: z.enum(["owner", "sub_account"]).describe("An owner sees all devices, a sub-account those assigned to it."),
  })
  .meta({ id: "CallerUser", description: "The user whose key it is: the key sees what they see." });

const key = z
  .strictObject({
    key_id: uuidText.describe("The key's id."),
    name: z.string().describe("What it was called when it was made."),
    prefix: z.string().describe("How the key begins, by which people recognise it."),
    scopes: z.array(scopeText).describe("What it may read."),
    expires_at: instantText.nullable().describe("When it ends; null: it does not."),
  })
  .meta({ id: "CallerKey", description: "The key that calls." });

const limits = z
  .strictObject({
    per_second: count.describe("Requests allowed per second."),
    per_day: count.describe("Requests allowed per UTC day, as in `X-RateLimit-Limit`."),
    remaining_today: count.describe("Requests left today, after this one."),
    resets_at: instantText.describe("When the daily counter resets: the next midnight UTC."),
  })
  .meta({ id: "CallerLimits", description: "How often the key may call, and what is left." });

export const caller = apiRecord<CallerRecordRow>({
  name: "Caller",
  description: "Who calls, what they may read, and what is left of their limits.",
  fields: {
    account: field(account, "The account.", ({ who }) => ({
      account_id: who.account_id,
      name: who.account_name,
      time_zone: who.time_zone,
    })),
    user: field(user, "The user whose key it is.", ({ who }) => ({
      user_id: who.user_id,
      name: who.user_name,
      role: who.role,
    })),
    key: field(key.nullable(), "The key; null only in the console of the reference, which has none.", (row) =>
      row.key === null
        ? null
        : {
            key_id: row.key.key_id,
            name: row.key.name,
            prefix: row.key.prefix,
            scopes: row.key.scopes.split(" ") as Scope[],
            expires_at: instantOrNull(row.key.expires_at),
          },
    ),
    limits: field(limits, "What is left. The `ETag` does not depend on it.", (row) => ({
      per_second: row.limits.limitPerSecond,
      per_day: row.limits.limitPerDay,
      remaining_today: row.limits.remainingDay,
      resets_at: formatInstant((row.limits.day + 1) * dayMs),
    })),
    newest_frame_at: timeOrNull(
      "When the newest frame of the visible devices was received; null: none ever was.",
      (row) => row.newestFrameAt,
    ),
  },
  exampleRow: {
    who: {
      account_id: "0b7d8f0e-9c1a-4a57-8e5d-1f4c2a6b9d30",
      account_name: "Riverside Logistics",
      time_zone: "Europe/Berlin",
      user_id: story.userId,
      user_name: "Ana Ruiz",
      role: "owner",
    },
    key: {
      key_id: "3f8a1c57-2d6e-4b90-a4c3-7e51d0f98b26",
      name: "Route planner",
      prefix: "odo_9fQ2",
      scopes: "devices:read positions:read trips:read",
      expires_at: null,
    },
    limits: {
      day: thatMorning("00:00:00") / dayMs,
      limitPerDay: 50_000,
      remainingDay: 49_873,
      resetSeconds: 27_413,
      limitPerSecond: 10,
      remainingSecond: 9,
    },
    newestFrameAt: thatMorning("08:19:51") + 73,
  },
});
