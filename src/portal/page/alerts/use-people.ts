import { useEffect, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { Alert } from "../../both-sides/contract/data.ts";
import { getJson } from "../api/request.ts";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

export type PeopleById = ReadonlyMap<string, string>;

/** The names of those who acknowledged alerts. A person knows themselves; others are named by the acknowledgement of an alert. */
export function usePeople(alerts: readonly Alert[]): PeopleById {
  const { user } = useSession();
  const { anotherPerson } = useTexts().alerts;
  const [people, setPeople] = useState<PeopleById>(new Map([[user.user_id, user.name]]));
  useEffect(() => {
    const unknown = new Map<string, string>();
    for (const { alert_id, acknowledged_by: by } of alerts) {
      if (by !== null && !people.has(by)) unknown.set(by, alert_id);
    }
    if (unknown.size === 0) return;
    const abort = new AbortController();
    Promise.all([...unknown].map(([id, alertId]) => nameOf(id, alertId, anotherPerson, abort.signal))).then((found) => {
      if (!abort.signal.aborted) setPeople(new Map([...people, ...found]));
    });
    return () => abort.abort();
  }, [alerts, people, anotherPerson]);
  return people;
}

/** A failure gives a name, too, so that it is not requested again. */
async function nameOf(
  userId: string,
  alertId: string,
  otherwise: string,
  signal: AbortSignal,
): Promise<[string, string]> {
  const answer = getJson(to("GET /alerts/{alert_id}/acknowledgement", { alert_id: alertId }), signal);
  return [userId, await answer.then(({ data }) => data.acknowledged_by_name ?? otherwise).catch(() => otherwise)];
}
