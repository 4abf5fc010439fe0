import { z } from "zod";
import { userStatuses } from "../../domain/fleet.ts";
import type { SubAccountRow } from "../../store/fleet/users.ts";
import { count, timeOrNull, timeValue, uuidText } from "./fields.ts";
import { apiRecord, field } from "./record.ts";
import { story, thatMorning } from "./story.ts";

const exampleRow: SubAccountRow = {
  id: story.userId,
  name: "Mara Lindner",
  email: "mara.lindner@example.com",
  status: "active",
  device_count: 12,
  last_login_at: thatMorning("09:12:40") + 115,
  created_at: Date.parse("2025-11-03T09:15:30.042Z"),
  updated_at: Date.parse("2026-01-12T08:20:11.377Z"),
};

const email = z
  .string()
  .refine((text) => /^[^\s@]+@[^\s@]+$/.test(text))
  .meta({ format: "email" });

export const user = apiRecord<SubAccountRow>({
  name: "User",
  description: "A sub-account: a user who sees a part of the fleet.",
  fields: {
    user_id: field(uuidText, "The sub-account's id.", (row) => row.id, [story.userId]),
    name: field(z.string(), "The person's or the department's name.", (row) => row.name, [exampleRow.name]),
    email: field(email, "What they sign in with.", (row) => row.email, [exampleRow.email]),
    status: field(z.enum(userStatuses), "Keys of a disabled user are refused.", (row) => row.status),
    device_count: field(count, "How many devices the sub-account sees.", (row) => row.device_count),
    last_login_at: timeOrNull("When they last signed in to the portal; null: never.", (row) => row.last_login_at),
    created_at: timeValue("When the sub-account was first loaded.", (row) => row.created_at),
    updated_at: timeValue("When it last changed.", (row) => row.updated_at),
  },
  exampleRow,
});
