import { z } from "zod";
import { userStatuses } from "../../domain/fleet.ts";
import type { SubAccountRow } from "../../store/sub-accounts.ts";
import { presenter } from "./body.ts";
import { count, instant, uuid } from "./fields.ts";
import type { JsonWriter } from "./json-writer.ts";
import { closeBrace, firstKey, keys } from "./literal.ts";
import { story, thatMorning } from "./story.ts";

const userId = firstKey("user_id");
const key = keys("name", "email", "status", "device_count", "last_login_at", "created_at", "updated_at");

export function writeUser(json: JsonWriter, row: SubAccountRow): void {
  json.literal(userId);
  json.plain(row.id);
  json.literal(key.name);
  json.text(row.name);
  json.literal(key.email);
  json.text(row.email);
  json.literal(key.status);
  json.plain(row.status);
  json.literal(key.device_count);
  json.decimal(row.device_count, 0);
  json.literal(key.last_login_at);
  json.instant(row.last_login_at);
  json.literal(key.created_at);
  json.instant(row.created_at);
  json.literal(key.updated_at);
  json.instant(row.updated_at);
  json.literal(closeBrace);
}

export const presentUser = presenter(writeUser);

export const exampleUserRow: SubAccountRow = {
  id: story.userId,
  name: "Mara Lindner",
  email: "mara.lindner@example.com",
  status: "active",
  device_count: 12,
  last_login_at: thatMorning("09:12:40") + 115,
  created_at: Date.parse("2025-11-03T09:15:30.042Z"),
  updated_at: Date.parse("2026-01-12T08:20:11.377Z"),
};
export const exampleUserRecord: unknown = JSON.parse(presentUser(exampleUserRow));

export const userSchema = z
  .strictObject({
    user_id: uuid.meta({ description: "The sub-account's id.", examples: [story.userId] }),
    name: z.string().meta({ description: "The person's or the department's name.", examples: [exampleUserRow.name] }),
    email: z
      .string()
      .refine((text) => /^[^\s@]+@[^\s@]+$/.test(text))
      .meta({ format: "email", description: "What they sign in with.", examples: [exampleUserRow.email] }),
    status: z.enum(userStatuses).describe("Keys of a disabled user are refused."),
    device_count: count.describe("How many devices the sub-account sees."),
    last_login_at: instant.nullable().describe("When they last signed in to the portal; null: never."),
    created_at: instant.describe("When the sub-account was first loaded."),
    updated_at: instant.describe("When it last changed."),
  })
  .meta({
    id: "User",
    description: "A sub-account: somebody who sees a part of the fleet.",
    examples: [exampleUserRecord],
  });
