import { z } from "zod";
import { readTrackerClock } from "../../domain/time/tracker-clock.ts";

const expected =
  'a time zone such as "Europe/Berlin", or how far the tracker\'s clock is ahead of UTC such as "+08:00" or "-360s"';

/** In one spelling. Left out, empty or UTC: null. */
export const trackerClock = z
  .string({ error: expected })
  .trim()
  .nullish()
  .transform((text, context): string | null => {
    const clock = text ? readTrackerClock(text) : null;
    if (clock === undefined) context.addIssue({ code: "custom", message: expected, input: text });
    return clock?.text ?? null;
  });
