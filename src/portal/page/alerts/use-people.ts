import { useEffect, useState } from "react";
import type { Acknowledgement, SubAccount } from "../api/portal-records.ts";
import type { Alert } from "../api/records.ts";
import { getJson } from "../api/request.ts";
import { useSession } from "../common/session.ts";

export type PeopleById = ReadonlyMap<string, string>;

/**
 * Who acknowledged alerts, by name. The owner knows all sub-accounts; a sub-account knows itself, and is told of the
 * others by an alert that each of them has seen to.
 */
export function usePeople(alerts: readonly Alert[]): PeopleById {
  const { user } = useSession();
  const [people, setPeople] = useState<PeopleById | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const own: [string, string] = [user.user_id, user.name];
    getJson<{ data: readonly SubAccount[] }>("/users", abort.signal)
      .then(({ data }) => data.map(({ user_id, name }): [string, string] => [user_id, name]))
      .catch(() => [])
      .then((known) => {
        if (!abort.signal.aborted) setPeople(new Map([...known, own]));
      });
    return () => abort.abort();
  }, [user]);
  useEffect(() => {
    if (people === null) return;
    const unknown = new Map<string, string>();
    for (const { alert_id, acknowledged_by: by } of alerts) {
      if (by !== null && !people.has(by)) unknown.set(by, alert_id);
    }
    if (unknown.size === 0) return;
    const abort = new AbortController();
    Promise.all([...unknown].map(([id, alertId]) => nameOf(id, alertId, abort.signal))).then((found) => {
      if (!abort.signal.aborted) setPeople(new Map([...people, ...found]));
    });
    return () => abort.abort();
  }, [alerts, people]);
  return people ?? new Map();
}

/** Whoever cannot be told is not asked for again. */
async function nameOf(userId: string, alertId: string, signal: AbortSignal): Promise<[string, string]> {
  const answer = getJson<{ data: Acknowledgement }>(`/alerts/${alertId}/acknowledgement`, signal);
  return [userId, await answer.then(({ data }) => data.acknowledged_by_name).catch(() => "somebody else")];
}
