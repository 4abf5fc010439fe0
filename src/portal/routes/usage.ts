import { z } from "zod";
import { isUuid } from "../../domain/identifiers.ts";
import { dayMs, formatInstant } from "../../domain/time.ts";
import { visibleApiKey } from "../../store/access/api-keys.ts";
import { keyUsage } from "../../store/access/key-usage.ts";
import { readQuery } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { portalRoute } from "../route.ts";

const maxDays = 366;
const daysExpected = `expected a whole number of days from 1 to ${maxDays}`;

const query = z.object({
  days: z
    .string()
    .regex(/^\d{1,3}$/, daysExpected)
    .transform(Number)
    .refine((days) => days >= 1 && days <= maxDays, { error: daysExpected })
    .default(30),
  key_id: z
    .string()
    .transform((text) => text.toLowerCase() || null)
    .refine((text) => text === null || isUuid(text), { error: "expected the id of a key" })
    .default(null),
});

export const showUsage = portalRoute(
  "GET",
  "/usage",
  "signed in",
  async ({ parts: { database }, session: { visibility }, query: text, now }) => {
    const { days, key_id: keyId } = readQuery(text, query);
    const lastDay = Math.floor(now / dayMs);
    if (keyId !== null && (await visibleApiKey(database, visibility, keyId, lastDay)) === null) throw noSuch("key");
    const firstDay = lastDay - days + 1;
    const rows = await keyUsage(database, visibility, { firstDay, lastDay, keyId });
    const data = rows.map(({ day, ...row }) => ({
      key_id: row.key_id,
      key_name: row.key_name,
      key_prefix: row.key_prefix,
      endpoint: row.endpoint,
      date: dateOf(day),
      requests: row.requests,
      not_modified: row.not_modified,
      refused: row.refused,
      errors: row.errors,
    }));
    return { status: 200, body: { days: Array.from({ length: days }, (_, index) => dateOf(firstDay + index)), data } };
  },
);

function dateOf(day: number): string {
  return formatInstant(day * dayMs).slice(0, 10);
}
