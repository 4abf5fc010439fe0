import { parseReported } from "../../domain/reported.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { type LatestPositionRow, latestPositions } from "../../store/frames/positions.ts";
import { type Nearby, Nearest } from "../input/near.ts";
import { inParts } from "./parts.ts";

/** Rows that are read in one turn, which takes some milliseconds. */
const rowsPerTurn = 500;

/** The live positions nearest to a place. All in sight are looked at: no index knows places. */
export async function latestNear(
  reader: Reader,
  visibility: Visibility,
  { device, nearby, count }: { readonly device: number | null; readonly nearby: Nearby; readonly count: number },
): Promise<LatestPositionRow[]> {
  const nearest = new Nearest<LatestPositionRow>(nearby, count);
  const parts = inParts<readonly LatestPositionRow[], string>(async (after) => {
    const rows = await latestPositions(reader, visibility, { device, after, count: rowsPerTurn });
    return { rows, next: rows.length < rowsPerTurn ? null : (rows.at(-1)?.device_id ?? null) };
  });
  for await (const { rows } of parts) for (const row of rows) nearest.add(row, parseReported(row.fields_json));
  return nearest.rows();
}
