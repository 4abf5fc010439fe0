import { z } from "zod";
import { isUuid } from "../../domain/text/identifiers.ts";
import { dateOfDay, dayMs } from "../../domain/time/time.ts";
import { visibleApiKey } from "../../store/access/api-keys.ts";
import { keyUsage } from "../../store/access/key-usage.ts";
import { readQuery } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { wholeNumberField } from "../request-fields.ts";
import { portalRoute } from "../route.ts";

const maxDays = 366;

const query = z.object({
  days: wholeNumberField(3, 1, maxDays, "a whole number of days").default(30),
  key_id: z
    .string()
    .transform((text) => text.toLowerCase() || null)
    .refine((text) => text === null || isUuid(text), { error: "expected the id of a key" })
    .default(null),
});

export const showUsage = portalRoute("GET /usage", "signed in", async (call) => {
  const { query: text, now } = call;
  const { database } = call.parts;
  const { visibility } = call.session;
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
    date: dateOfDay(day),
    requests: row.requests,
    not_modified: row.not_modified,
    refused: row.refused,
    errors: row.errors,
  }));
  return {
    body: { days: Array.from({ length: days }, (_, index) => dateOfDay(firstDay + index)), data },
  };
});
