import { formatInstant } from "../../../domain/time/time.ts";
import { unknownDevicesOf } from "../../../store/fleet/unknown-devices.ts";
import { portalRoute } from "../../route.ts";

/** IMEIs whose frames were refused lately, because no device has them. The newest first. */
export const listUnknownDevices = portalRoute("GET", "/fleet/unknown-devices", "owner", async (call) => {
  const { parts, session, now } = call;
  const seen = await unknownDevicesOf(parts.database, session.visibility.accountId, now);
  const data = seen.map(({ imei, firstSeenAt, lastSeenAt, count }) => ({
    imei,
    first_seen_at: formatInstant(firstSeenAt),
    last_seen_at: formatInstant(lastSeenAt),
    count,
  }));
  return { status: 200, body: { data } };
});
