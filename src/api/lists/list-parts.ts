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
    if (end !== undefined) {
      isOver = true;
      return listEnd(end);
    }
    const { rows, nextCursor } = await read(last);
    const part = listRows(rows, write, { isFirst: last === null });
    last = rows.at(-1) ?? last;
    end = nextCursor;
    return part;
  };
}
