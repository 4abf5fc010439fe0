import { z } from "zod";
import { instantOrNull } from "../../../api/records/values.ts";
import { Failure } from "../../../domain/errors.ts";
import { isTrackerId, maxTrackerIdLength } from "../../../domain/text/identifiers.ts";
import { formatInstant } from "../../../domain/time/time.ts";
import {
  type ExpectedTracker,
  expectedTrackers,
  expectTracker,
  forgetExpectedTracker,
  maxExpectedTrackers,
} from "../../../store/fleet/expected-trackers.ts";
import { trackerHolders } from "../../../store/fleet/tracker-names.ts";
import type { ExpectedTrackerRecord } from "../../both-sides/contract/trackers.ts";
import { readCheckedBody, readId } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import { portalRoute, type SignedInCall } from "../../route.ts";

/** The trackers that the owner waits for: the owner alone learns that one of them called, if no device has it. */

const expected = `expected an IMEI, or what the tracker calls itself: at most ${maxTrackerIdLength} visible characters`;
const body = z.object({
  // As labels print it.
  tracker: z
    .string({ error: expected })
    .transform((text) => (/^[0-9\s-]+$/.test(text) ? text.replaceAll(/[\s-]/g, "") : text.trim()))
    .refine(isTrackerId, { error: expected }),
});

export const listExpectedTrackers = portalRoute("GET /fleet/expected-trackers", "owner", async (call) => {
  const rows = await expectedTrackers(call.parts.database, call.session.visibility.accountId, call.now);
  return { body: { data: rows.map(await presenter(call, rows)) } };
});

/** Entered again, it is expected for longer. Whether another account has it is not said. */
export const addExpectedTracker = portalRoute("POST /fleet/expected-trackers", "owner", async (call) => {
  const { parts, session, now } = call;
  const { tracker } = readCheckedBody(call, body);
  const { accountId } = session.visibility;
  const row = await parts.database.transaction((tx) => expectTracker(tx, accountId, tracker, now));
  if (row === null) {
    throw new Failure("CONFLICT", `at most ${maxExpectedTrackers} trackers can be expected: remove one first`);
  }
  return { status: 201, body: { data: (await presenter(call, [row]))(row) } };
});

export const removeExpectedTracker = portalRoute(
  "DELETE /fleet/expected-trackers/{expected_id}",
  "owner",
  async (call) => {
    const { parts, session } = call;
    const id = readId(call, "expected tracker");
    const { accountId } = session.visibility;
    const wasThere = await parts.database.transaction((tx) => forgetExpectedTracker(tx, accountId, id));
    if (!wasThere) throw noSuch("expected tracker");
    return { body: { data: { expected_id: id } } };
  },
);

/** Presents these rows, each with the vehicle that has the tracker by now. */
async function presenter({ parts, session }: SignedInCall, rows: readonly ExpectedTracker[]) {
  const holders = await trackerHolders(
    parts.database,
    rows.map(({ tracker }) => tracker),
  );
  const ownWith = (key: string) => {
    const holder = holders.get(key);
    return holder?.account_id === session.visibility.accountId ? holder.id : null;
  };
  return (row: ExpectedTracker): ExpectedTrackerRecord => ({
    expected_id: row.id,
    tracker: row.tracker,
    entered_at: formatInstant(row.entered_at),
    called_at: instantOrNull(row.called_at),
    last_protocol: row.last_protocol,
    count: row.count,
    device_id: ownWith(row.tracker_key),
  });
}
