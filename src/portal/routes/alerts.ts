import { isUuid } from "../../domain/identifiers.ts";
import { formatInstant } from "../../domain/time.ts";
import { type Acknowledgement, acknowledgeAlert, acknowledgementOf } from "../../store/alert-acknowledgements.ts";
import { noSuch } from "../refusals.ts";
import type { PortalAnswer, PortalRoute } from "../route.ts";

/** The first acknowledgement counts; a later one changes nothing. */
export const acknowledge: PortalRoute = {
  method: "POST",
  path: "/alerts/{alert_id}/acknowledge",
  who: "signed in",
  async answer({ parts, session, values: [id = ""], now }) {
    const done = isUuid(id)
      ? await parts.database.transaction((tx) => acknowledgeAlert(tx, session.visibility, id.toLowerCase(), now))
      : null;
    if (done === null) throw noSuch("alert");
    return answerWith(done.acknowledgement);
  },
};

/**
 * Who acknowledged it, by name. The API shows the id alone, and a sub-account cannot look up other users; but a user who
 * sees an alert may know who has seen to it.
 */
export const showAcknowledgement: PortalRoute = {
  method: "GET",
  path: "/alerts/{alert_id}/acknowledgement",
  who: "signed in",
  async answer({ parts, session, values: [id = ""] }) {
    const found = isUuid(id) ? await acknowledgementOf(parts.database, session.visibility, id.toLowerCase()) : null;
    if (found === null) throw noSuch("acknowledged alert");
    return answerWith(found);
  },
};

function answerWith(found: Acknowledgement): PortalAnswer {
  const { alert_id, acknowledged_at, acknowledged_by_id, acknowledged_by_name } = found;
  const data = {
    alert_id,
    acknowledged_at: formatInstant(acknowledged_at),
    acknowledged_by: acknowledged_by_id,
    acknowledged_by_name,
  };
  return { status: 200, body: { data } };
}
