import { z } from "zod";
import { formatInstant } from "../../domain/time/time.ts";
import {
  type Acknowledgement,
  acknowledgeAlerts,
  acknowledgementsOf,
} from "../../store/facts/alert-acknowledgements.ts";
import { readBody, readId } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { oneId } from "../request-fields.ts";
import { type PortalAnswer, portalRoute } from "../route.ts";

/** The first acknowledgement counts; a later one changes nothing. */
export const acknowledge = portalRoute("POST", "/alerts/{alert_id}/acknowledge", "signed in", async (call) => {
  const { parts, session, now } = call;
  const id = readId(call, "alert");
  const [done] = await parts.database.transaction((tx) => acknowledgeAlerts(tx, session.visibility, [id], now));
  if (done === undefined) throw noSuch("alert");
  return answerWith(done.acknowledgement);
});

/** As many as the page shows at a time, several times over; they are one transaction, which others wait for. */
const maxAtOnce = 500;
const idsExpected = `expected a list of 1 to ${maxAtOnce} ids of alerts`;
const chosen = z.object({
  alert_ids: z.array(oneId(idsExpected), { error: idsExpected }).min(1, idsExpected).max(maxAtOnce, idsExpected),
});

/** Many at once. Those that the user does not see are left out of the answer, whether they exist or not. */
export const acknowledgeMany = portalRoute("POST", "/alerts/acknowledge", "signed in", async (call) => {
  const { parts, session, now } = call;
  const { alert_ids } = readBody(call, chosen);
  const done = await parts.database.transaction((tx) => acknowledgeAlerts(tx, session.visibility, alert_ids, now));
  const data = done.map(({ acknowledgement }) => recordOf(acknowledgement));
  return { status: 200, body: { data, acknowledged_now: done.filter(({ isNew }) => isNew).length } };
});

/**
 * Who acknowledged it, by name. The API shows the id alone, and a sub-account cannot look up other users; but a user who
 * sees an alert may know who has seen to it.
 */
export const showAcknowledgement = portalRoute(
  "GET",
  "/alerts/{alert_id}/acknowledgement",
  "signed in",
  async (call) => {
    const { parts, session } = call;
    const id = readId(call, "acknowledged alert");
    const [found] = await acknowledgementsOf(parts.database, session.visibility, [id]);
    if (found === undefined) throw noSuch("acknowledged alert");
    return answerWith(found);
  },
);

function answerWith(found: Acknowledgement): PortalAnswer {
  return { status: 200, body: { data: recordOf(found) } };
}

function recordOf({ alert_id, acknowledged_at, acknowledged_by_id, acknowledged_by_name }: Acknowledgement) {
  return {
    alert_id,
    acknowledged_at: formatInstant(acknowledged_at),
    acknowledged_by: acknowledged_by_id,
    acknowledged_by_name,
  };
}
