import type { TimePage } from "../../store/pages.ts";
import { nextTurn } from "../turns.ts";

/**
 * Reads a page of a list of which many rows may have to be looked at for the few that fit. `endOfPart` gives the time of the
 * last row of the next part, fitting or not; null where the rest is short. Rows of one time are in one part, so each begins
 * after the one before.
 */
export async function inTimeParts<Row, Key, Page extends TimePage<Key>>(
  page: Page,
  endOfPart: (page: Page) => Promise<number | null>,
  read: (page: Page) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let part = page; ; ) {
    const end = await endOfPart(part);
    const toMs = end === null ? page.toMs : end + 1;
    rows.push(...(await read({ ...part, toMs, count: page.count - rows.length })));
    if (rows.length >= page.count || end === null) return rows;
    part = { ...part, fromMs: toMs, after: null };
    await nextTurn();
  }
}
