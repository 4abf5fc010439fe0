import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { ApiKey, Usage } from "../api/portal-records.ts";
import { getJson } from "../api/request.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { Select } from "../common/field.tsx";
import { formatNumber } from "../common/format.ts";
import { ErrorNotice } from "../common/notice.tsx";
import { Link } from "../common/route.tsx";
import { useHeading } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { type Counts, grouped, keyWords, seriesByEndpoint, total } from "./tally.ts";
import { UsageTable } from "./usage-table.tsx";

const UsagePlot = lazy(() => import("./usage-plot.tsx"));

const periods = [
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
] as const;

const plotted = [
  ["requests", "Requests"],
  ["refused", "Refused (429)"],
  ["errors", "Other errors"],
] as const satisfies readonly (readonly [keyof Counts, string])[];

const loadKeys = async (signal: AbortSignal) => (await getJson<{ data: readonly ApiKey[] }>("/keys", signal)).data;

export function UsagePage() {
  const heading = useHeading("Usage");
  const [days, setDays] = useState("30");
  const [keyId, setKeyId] = useState("");
  const load = useCallback(
    (signal: AbortSignal) => getJson<Usage>(`/usage?days=${days}&key_id=${keyId}`, signal),
    [days, keyId],
  );
  const { loaded, reload } = useLoad(load);
  const { loaded: keys } = useLoad(loadKeys);
  const usage = loaded.data;
  const [counted, setCounted] = useState<(typeof plotted)[number][0]>("requests");
  const series = useMemo(() => (usage ? seriesByEndpoint(usage.days, usage.data, counted) : []), [usage, counted]);
  const keyOptions = (keys.data ?? []).map(({ key_id, name, prefix }) => [key_id, `${name} (${prefix}…)`] as const);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Usage
          </h1>
          <p className="quiet">Calls of the API by key and endpoint. Days are UTC days, as the limits are.</p>
        </div>
        <div className="filters">
          <Select label="Key" value={keyId} onChange={setKeyId} options={[["", "All keys"], ...keyOptions]} />
          <Select label="Period" value={days} onChange={setDays} options={periods} />
        </div>
      </header>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {usage === null && loaded.state === "loading" && <LoadingState label="Loading the usage" />}
      {usage !== null && usage.data.length === 0 && (
        <EmptyState icon="usage" title="No calls in this time">
          <p>As soon as one of your systems uses a key, its calls are counted here.</p>
          <Link to="/keys" className="button">
            Go to the keys
          </Link>
        </EmptyState>
      )}
      {usage !== null && usage.data.length > 0 && (
        <>
          <Totals usage={usage} />
          <section className="card" aria-labelledby="per-day">
            <div className="card-head">
              <h2 id="per-day">Per day and endpoint</h2>
              <fieldset className="segmented">
                <legend className="visually-hidden">Show in the plot</legend>
                {plotted.map(([choice, text]) => (
                  <label key={choice}>
                    <input
                      type="radio"
                      name="plotted"
                      checked={counted === choice}
                      onChange={() => setCounted(choice)}
                    />
                    <span>{text}</span>
                  </label>
                ))}
              </fieldset>
            </div>
            <Suspense fallback={<LoadingState label="Loading the plot" />}>
              <UsagePlot days={usage.days} series={series} what={counted === "requests" ? "request" : "such answer"} />
            </Suspense>
          </section>
          <div className="columns">
            <UsageTable
              title="By endpoint"
              head="Endpoint"
              rows={grouped(usage.data, ({ endpoint }) => endpoint)}
              isCode
            />
            <UsageTable title="By key" head="Key" rows={grouped(usage.data, keyWords(usage.data))} />
          </div>
          <details className="card">
            <summary>Every day in figures</summary>
            <UsageTable
              title="By day"
              head="Day (UTC)"
              rows={grouped(usage.data, ({ date }) => date).sort((left, right) => right.name.localeCompare(left.name))}
            />
          </details>
        </>
      )}
    </div>
  );
}

function Totals({ usage }: { readonly usage: Usage }) {
  const { requests, not_modified, refused, errors } = total(usage.data);
  const figures: [term: string, value: number][] = [
    ["Requests", requests],
    ["Of them unchanged (304, free)", not_modified],
    ["Refused by a limit (429)", refused],
    ["Other errors", errors],
  ];
  return (
    <dl className="figures">
      {figures.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
