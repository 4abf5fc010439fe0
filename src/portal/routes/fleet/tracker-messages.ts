import { formatInstant } from "../../../domain/time/time.ts";
import type { ShownMessage } from "../../../intake/trackers/connection/describe.ts";
import { visibleDevice } from "../../../store/fleet/devices.ts";
import { type TrackerMessageRow, trackerMessages, watchTracker } from "../../../store/fleet/tracker-messages.ts";
import type { TrackerMessageRecord, TrackerMessages } from "../../both-sides/contract/trackers.ts";
import { trackerAddress } from "../../ingest-address.ts";
import { readId } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import { portalRoute } from "../../route.ts";

/** As many as a person reads. */
const maxShown = 50;

/** Where the trackers of this server call. */
export const showTrackerAddress = portalRoute("GET /fleet/tracker-address", "owner", async ({ parts, request }) => ({
  body: { data: trackerAddress(parts.ingest(), parts.publicUrl, request) },
}));

/** What a vehicle's tracker sent lately. A POST, since it has the nodes write down what the tracker sends from now on. */
export const watchTrackerMessages = portalRoute(
  "POST /fleet/devices/{device_id}/tracker-messages",
  "owner",
  async (call) => {
    const { parts, session, now } = call;
    const { database } = parts;
    const { visibility } = session;
    const device = await visibleDevice(database, visibility, { id: readId(call, "device") });
    if (device === null) throw noSuch("device");
    await watchTracker(database, visibility.accountId, device.imei, now);
    const rows = await trackerMessages(database, visibility.accountId, device.imei);
    const is_listening = Object.keys(parts.ingest()?.trackerPorts ?? {}).length > 0;
    const body: TrackerMessages = { data: rows.slice(-maxShown).reverse().map(messageRecord), is_listening };
    return { body };
  },
);

function messageRecord({ node, number, received_at, message_json }: TrackerMessageRow): TrackerMessageRecord {
  const shown = JSON.parse(message_json) as ShownMessage;
  return { id: `${node} ${number}`, received_at: formatInstant(received_at), ...shown };
}
