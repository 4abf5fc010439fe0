import { z } from "zod";

/**
 * Lists and objects of which the size is checked before what is in them. A thousand wrong items are no more of a help than the
 * first few, and would take a second to describe.
 */

/** A list of at most so many items. Reading ends with the first `atOnce` of which some are wrong. */
export function boundedArray<Item extends z.ZodType>(item: Item, max: number, error: string, atOnce = 500) {
  const some = z.array(item);
  return z
    .array(z.unknown(), { error })
    .max(max, { error })
    .transform((items, context): z.output<Item>[] => {
      const read: z.output<Item>[] = [];
      for (let start = 0; start < items.length; start += atOnce) {
        const { data, error } = some.safeParse(items.slice(start, start + atOnce));
        for (const { path, ...issue } of error?.issues ?? []) {
          const [index, ...inside] = path;
          context.issues.push({
            ...issue,
            path: [start + Number(index), ...inside],
            input: items,
          } as z.core.$ZodRawIssue);
        }
        if (data === undefined) return z.NEVER;
        read.push(...data);
      }
      return read;
    });
}

/** An object of at most so many fields; anything else is left to the schema behind it. */
export function boundedFields(max: number, error: string) {
  const isBounded = (value: unknown) => typeof value !== "object" || value === null || Object.keys(value).length <= max;
  return z.unknown().refine(isBounded, { error }).optional();
}
