import { useEffect, useState } from "react";
import { useTexts } from "../texts/use-texts.ts";
import { type AlertCounts, watchCounts } from "./use-counts.ts";

/** More than fits beside the word; the page has the number. */
const maxShown = 999;

const severities = ["critical", "warning"] as const;

/** What the page of alerts opens with: open, critical or warning, of the last 31 days. */
const parameters = { acknowledged: "false", severity: severities.join(","), max: String(maxShown + 1) };

/** How many alerts wait for somebody, beside the link to them, as of now; faded while nobody knows. Nothing if there are none. */
export function OpenAlertCount() {
  const { alerts: words, show } = useTexts();
  const [counts, setCounts] = useState<AlertCounts | null>(null);
  const [isStale, setStale] = useState(false);
  useEffect(() => {
    const onCounts = (fresh: AlertCounts) => {
      setCounts(fresh);
      setStale(false);
    };
    return watchCounts(parameters, onCounts, () => setStale(true));
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
