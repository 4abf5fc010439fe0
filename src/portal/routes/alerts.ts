import { isUuid } from "../../domain/identifiers.ts";
import { formatInstant } from "../../domain/time.ts";
import { acknowledgeAlert } from "../../store/alert-acknowledgements.ts";
import { noSuch } from "../refusals.ts";
import type { PortalRoute } from "../route.ts";

/** Whoever acknowledged it first stays the one who did. */
export const acknowledge: PortalRoute = {
  method: "POST",
  path: "/alerts/{alert_id}/acknowledge",
  who: "signed in",
  async answer({ parts, session, values: [id = ""], now }) {
    const done = isUuid(id)
      ? await parts.database.transaction((tx) => acknowledgeAlert(tx, session.visibility, id.toLowerCase(), now))
      : null;
    if (done === null) throw noSuch("alert");
    const { alert_id, acknowledged_at, acknowledged_by_id, acknowledged_by_name } = done.acknowledgement;
    const data = {
      alert_id,
      acknowledged_at: formatInstant(acknowledged_at),
      acknowledged_by: acknowledged_by_id,
      acknowledged_by_name,
    };
    return { status: 200, body: { data } };
  },
};
