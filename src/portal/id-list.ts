import { z } from "zod";
import { isUuid } from "../domain/identifiers.ts";

/** A list of ids, none if it is absent. However many are wrong, it is said once. */
export function idList(max: number, error: string) {
  return z
    .array(z.unknown(), { error })
    .max(max, { error })
    .refine((ids) => ids.every((id) => typeof id === "string" && isUuid(id)), { error, abort: true })
    .transform((ids) => (ids as string[]).map((id) => id.toLowerCase()))
    .default([]);
}
