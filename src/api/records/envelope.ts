import { z } from "zod";

/** Every list has the same envelope. */
export function listOf(record: z.ZodType, name: string): z.ZodType {
  return z
    .strictObject({
      data: z.array(record).describe("The records of the page."),
      next_cursor: z.string().nullable().describe("Opaque; pass it as `cursor`. Null: the end has been reached."),
    })
    .meta({ id: `${name}List` });
}

/** A list that has no pages. */
export function wholeListOf(record: z.ZodType, name: string): z.ZodType {
  return z
    .strictObject({
      data: z.array(record).describe("All records."),
      next_cursor: z.null().describe("Always null: this list has no pages."),
    })
    .meta({ id: `${name}List` });
}

export function singleOf(record: z.ZodType, name: string): z.ZodType {
  return z.strictObject({ data: record }).meta({ id: `${name}Answer` });
}
