import { listEnd, listRows } from "../records/body.ts";
import type { WriteRecord } from "../records/json-writer.ts";

export interface RowsOfPart<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins, null where there is none; undefined as long as more parts follow. */
  readonly nextCursor: string | null | undefined;
}

/**
 * The body of a list in parts, for one that is too long to be made at once. `read` gives the rows after the last one of the
 * part before. Gives null after the last part.
 */
export function listParts<Row>(
  read: (after: Row | null) => Promise<RowsOfPart<Row>>,
  write: WriteRecord<Row>,
): () => Promise<Uint8Array | null> {
  let last: Row | null = null;
  let isOver = false;
  let end: string | null | undefined;
  return async () => {
    if (isOver) return null;
    if (end === undefined) {
      const { rows, nextCursor } = await read(last);
      end = nextCursor;
      const isFirst = last === null;
      last = rows.at(-1) ?? last;
      // The last part is empty where the one before ended with the last row of all.
      if (isFirst || rows.length > 0) return listRows(rows, write, { isFirst });
    }
    isOver = true;
    return listEnd(end ?? null);
  };
}
