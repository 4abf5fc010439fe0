import type { Visibility } from "../../domain/visibility.ts";
import { bigint, integer } from "../columns.ts";
import type { Reader } from "../database.ts";
import type { TimePage } from "../pages.ts";
import type { DeviceMoment } from "../rows-at.ts";
import { sql } from "../sql.ts";
import { table } from "../table.ts";
import { endOfRows, rowsSeenInAccount, type TimedPage, type TimedTable, timedRows } from "../timed-rows.ts";
import { kindBits } from "./frame-blocks.ts";
import { framesAtMoments } from "./frames-at.ts";
import { type ReadingRow, readingsOf, type SensorKind } from "./reading-rows.ts";

/** Which device has readings of a kind when. What they say is in the frames. */
export const readingTable = table("readings", ["account_id", "kind", "recorded_at", "device"], {
  account_id: integer,
  /** As in `kindBits`. */
  kind: integer,
  recorded_at: bigint,
  device: integer,
});

const list: TimedTable = {
  name: sql`readings`,
  time: sql`r.recorded_at`,
  key: sql`r.recorded_at, r.device`,
  columns: sql`r.device, r.recorded_at as at`,
};

/** Moments of all devices, in order. */
export interface MomentPage extends Pick<TimePage<never>, "toMs" | "count"> {
  readonly kind: SensorKind;
  /** The first moment that may be on the page. */
  readonly start: DeviceMoment;
}

/** The next moments with readings of devices that the viewer sees. It walks over those of the whole account. */
export function readingMoments(reader: Reader, visibility: Visibility, page: MomentPage): Promise<DeviceMoment[]> {
  return reader.all(
    visibility.sees === "account"
      ? timedRows(reader.engine, list, visibility, null, pageOf(page))
      : rowsSeenInAccount(list, visibility, pageOf(page)),
  );
}

/** The time of the last of the account's next `count` moments, whoever sees them; null if there are fewer. */
export async function endOfMoments(reader: Reader, visibility: Visibility, page: MomentPage): Promise<number | null> {
  const row = await reader.get<{ at: number }>(endOfRows(list, visibility, null, pageOf(page)));
  return row?.at ?? null;
}

function pageOf({ kind, toMs, start, count }: MomentPage): TimedPage {
  return {
    fromMs: start.at,
    toMs,
    count,
    after: start,
    afterKey: sql`${start.at}, ${start.device - 1}`,
    conditions: sql`and r.kind = ${kindBits[kind]}`,
  };
}

/** The readings at exactly these moments, in any order. */
export async function readingsAt(
  reader: Reader,
  visibility: Visibility,
  moments: readonly DeviceMoment[],
  kind: SensorKind | null = null,
): Promise<ReadingRow[]> {
  const frames = await framesAtMoments(reader, visibility, moments, { withDropped: true });
  return frames.flatMap((found) => readingsOf(found, found.frame, kind));
}
