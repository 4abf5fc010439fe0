import { z } from "zod";
import { alertTypes, severities } from "../../domain/alert-types.ts";
import { pacings } from "../../domain/notifications/choice.ts";
import { zoneNamed } from "../../domain/time/time-zone.ts";
import { oneId, tagList, uuidList } from "../request-fields.ts";

const maxDevices = 200;
const maxTags = 50;

/** Some of these words, or null for any. */
function someOf<Word extends string>(words: readonly Word[]) {
  const error = `expected some of ${words.join(", ")}, or null for all`;
  return z.array(z.enum(words, { error }), { error }).min(1, error).nullable().default(null);
}

const tags = tagList(maxTags, `expected 1 to ${maxTags} tags, or null`, 1).nullable().default(null);

const devicesExpected = `expected the ids of 1 to ${maxDevices} vehicles, or null`;
const deviceIds = z
  .union([z.null(), uuidList(maxDevices, devicesExpected)], { error: devicesExpected })
  .refine((ids) => ids === null || ids.length > 0, { error: devicesExpected })
  .default(null);

const clockExpected = "expected a time such as 22:00, or null";
const minuteOfDay = z
  .string({ error: clockExpected })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, clockExpected)
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
  .nullable()
  .default(null);

const zoneExpected = "expected the name of a time zone, such as Europe/Berlin, or null for the account's";

/** What a person chooses to be mailed of. */
export const choiceFields = z
  .object({
    /** Whose it is; absent: of the person who asks. */
    user_id: oneId("expected the id of a person").optional(),
    alert_types: someOf(alertTypes),
    severities: someOf(severities),
    tags,
    device_ids: deviceIds,
    pacing: z.enum(pacings, { error: `expected one of ${pacings.join(", ")}` }),
    tells_end: z.boolean({ error: "expected true or false" }).default(false),
    quiet_from: minuteOfDay,
    quiet_until: minuteOfDay,
    time_zone: z
      .string({ error: zoneExpected })
      .transform((name) => zoneNamed(name)?.name ?? null)
      .refine((name) => name !== null, { error: zoneExpected })
      .nullable()
      .default(null),
    is_stopped: z.boolean({ error: "expected true or false" }).default(false),
    although_silent: z.boolean({ error: "expected true or false" }).default(false),
  })
  .refine(
    ({ quiet_from: from, quiet_until: until }) =>
      (from === null) === (until === null) && (from === null || from !== until),
    {
      path: ["quiet_until"],
      error: "expected both ends of the quiet hours, and two different ones",
    },
  );

export type ChoiceFields = z.output<typeof choiceFields>;
