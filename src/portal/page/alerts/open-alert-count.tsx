import { useEffect, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { AlertCounts } from "../../both-sides/contract/alerts.ts";
import { ChangeFeed } from "../api/change-feed.ts";
import { getJson, send } from "../api/request.ts";
import { useTexts } from "../texts/use-texts.ts";
import { type AlertFilter, isCountable, parametersOf } from "./alert-filter.ts";

/** The number of alerts by severity, as of now, whether they are shown or not; null: not known (yet). */
export function useCounts(filter: AlertFilter | null): AlertCounts | null {
  const [counts, setCounts] = useState<AlertCounts | null>(null);
  useEffect(() => {
    if (filter === null || !isCountable(filter)) {
      setCounts(null);
      return;
    }
    const to = filter.to === null ? null : new Date(filter.to).toISOString();
    const parameters = { ...parametersOf(filter), from: new Date(filter.from).toISOString(), to };
    return watchCounts(parameters, setCounts);
  }, [filter]);
  return counts;
}

/**
 * Counts for fixed parameters, until it is stopped. A failure leaves what is known, and `onStale` says that it may not
 * be of now any more, until there are new counts.
 */
function watchCounts(
  parameters: Readonly<Record<string, string | null>>,
  onCounts: (counts: AlertCounts) => void,
  onStale: () => void = () => {},
): () => void {
  const abort = new AbortController();
  const target = to("GET /alerts/counts", parameters);
  let isStale = false;
  const fail = () => {
    isStale = true;
    if (!abort.signal.aborted) onStale();
  };
  const load = () =>
    getJson(target, abort.signal).then((counts) => {
      isStale = false;
      if (!abort.signal.aborted) onCounts(counts);
    }, fail);
  void load();
  const stop = alertFeed.follow({
    onNews: () => void load(),
    onError(error) {
      if (error !== null) fail();
      else if (isStale) void load();
    },
  });
  return () => {
    abort.abort();
    stop();
  };
}

/** More than fits beside the word; the page has the number. */
const maxShown = 999;

const severities = ["critical", "warning"] as const;

/** Of what the page of alerts opens with, open, critical or warning, what became known since the person last looked. */
const parameters = { acknowledged: "false", severity: severities.join(","), new: "true", max: String(maxShown + 1) };

const whenSeen = new Set<() => void>();

/** The person looks at the alerts: those that are known are not new any more, in this tab and in others. */
export async function lookedAtAlerts(): Promise<void> {
  await send("POST /alerts/seen");
  for (const hear of whenSeen) hear();
}

/** How many alerts are new, beside the link to them; faded while that is not known. Nothing if there are none. */
export function OpenAlertCount() {
  const { alerts: words, show } = useTexts();
  const [counts, setCounts] = useState<AlertCounts | null>(null);
  const [isStale, setStale] = useState(false);
  useEffect(() => {
    const onCounts = (fresh: AlertCounts) => {
      setCounts(fresh);
      setStale(false);
    };
    let stop = watchCounts(parameters, onCounts, () => setStale(true));
    const again = () => {
      stop();
      stop = watchCounts(parameters, onCounts, () => setStale(true));
    };
    whenSeen.add(again);
    return () => {
      whenSeen.delete(again);
      stop();
    };
  }, []);
  if (counts === null) return null;
  const [critical = 0, warning = 0] = severities.map((severity) => counts.data[severity]);
  const open = critical + warning;
  if (open === 0) return null;
  const shown = open > maxShown ? `${show.number(maxShown)}+` : show.number(open);
  return (
    <span className={critical > 0 ? "nav-count nav-count-critical" : "nav-count"} data-stale={isStale || undefined}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">
        {words.open(open, shown)}
        {isStale && ` (${words.notLive})`}
      </span>
    </span>
  );
}

/** Alerts as they become known: one poll for the list and for the number in the navigation. */
export const alertFeed = new ChangeFeed({ types: ["alert"] });
