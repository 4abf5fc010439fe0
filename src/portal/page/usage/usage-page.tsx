import { Suspense, useCallback, useId, useMemo, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { Usage } from "../../both-sides/contract/keys.ts";
import { getJson } from "../api/request.ts";
import { Segmented } from "../common/fields/choices.tsx";
import { Select } from "../common/fields/field.tsx";
import { EmptyState, LoadingState, LoadState } from "../common/loading/notice.tsx";
import { loadable, useLoad } from "../common/loading/use-load.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { type Counts, countNames, grouped, keyWords, seriesByEndpoint, total, type UsageGroup } from "./tally.ts";

const UsagePlot = loadable(() => import("./usage-plot.tsx"));

const periods = ["7", "30", "90"] as const;

const plotted = ["requests", "refused", "errors"] as const satisfies readonly (keyof Counts)[];

const loadKeys = async (signal: AbortSignal) => (await getJson("GET /keys", signal)).data;

export default function UsagePage() {
  const { usage: words, common, keys: keyTexts, shell } = useTexts();
  const [days, setDays] = useState("30");
  const [keyId, setKeyId] = useState("");
  const load = useCallback(
    (signal: AbortSignal) => getJson(to("GET /usage", { days, key_id: keyId }), signal),
    [days, keyId],
  );
  const { loaded, reload } = useLoad(load);
  const { loaded: keys } = useLoad(loadKeys);
  const usage = loaded.data;
  const [counted, setCounted] = useState<(typeof plotted)[number]>("requests");
  const series = useMemo(
    () => (usage ? seriesByEndpoint(usage.days, usage.data, words.others, counted) : []),
    [usage, counted, words],
  );
  const keyOptions = (keys.data ?? []).map(({ key_id, name, prefix }) => [key_id, `${name} (${prefix}…)`] as const);
  return (
    <div className="page">
      <PageHead title={shell.usage} text={words.what}>
        <div className="filters">
          <Select
            label={keyTexts.key}
            value={keyId}
            onChange={setKeyId}
            options={[["", words.allKeys], ...keyOptions]}
          />
          <Select
            label={common.period}
            value={days}
            onChange={setDays}
            options={periods.map((period) => [period, words.lastDays(period)] as const)}
          />
        </div>
      </PageHead>
      <LoadState loaded={loaded} reload={reload} />
      {usage !== null && usage.data.length === 0 && (
        <EmptyState icon="usage" title={words.noCalls}>
          <p>{words.noCallsYet}</p>
          <Link to="/keys" className="button">
            {words.goToKeys}
          </Link>
        </EmptyState>
      )}
      {usage !== null && usage.data.length > 0 && (
        <>
          <Totals usage={usage} />
          <section className="card" aria-labelledby="per-day">
            <div className="card-head">
              <h2 id="per-day">{words.perDay}</h2>
              <Segmented
                name="plotted"
                label={words.inPlot}
                options={plotted}
                words={words}
                value={counted}
                onChange={setCounted}
              />
            </div>
            <Suspense fallback={<LoadingState />}>
              <UsagePlot days={usage.days} series={series} />
            </Suspense>
          </section>
          <div className="columns grid gap-5">
            <UsageTable
              title={words.byEndpoint}
              head={words.endpoint}
              rows={grouped(usage.data, ({ endpoint }) => endpoint)}
              isCode
            />
            <UsageTable title={words.byKey} head={keyTexts.key} rows={grouped(usage.data, keyWords(usage.data))} />
          </div>
          <details className="card">
            <summary>{words.everyDay}</summary>
            <UsageTable
              title={words.byDay}
              head={words.day}
              rows={grouped(usage.data, ({ date }) => date).sort((left, right) => right.name.localeCompare(left.name))}
            />
          </details>
        </>
      )}
    </div>
  );
}

function Totals({ usage }: { readonly usage: Usage }) {
  const sums = total(usage.data);
  const {
    usage: { totals },
    show,
  } = useTexts();
  return (
    <dl className="figures grid clip panel">
      {countNames.map((name) => (
        <div key={name}>
          <dt>{totals[name]}</dt>
          <dd>{show.number(sums[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

interface UsageTableProps {
  readonly title: string;
  readonly head: string;
  readonly rows: readonly UsageGroup[];
  readonly isCode?: boolean;
}

function UsageTable({ title, head, rows, isCode = false }: UsageTableProps) {
  const id = useId();
  const {
    usage: { columns },
    show,
  } = useTexts();
  return (
    <div className="card">
      <h2 id={id}>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-labelledby={id}>
        <table className="table table-figures">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {countNames.map((name) => (
                <th key={name} scope="col">
                  {columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{isCode ? <code>{row.name}</code> : row.name}</th>
                {countNames.map((name) => (
                  <td
                    key={name}
                    data-notable={((name === "refused" || name === "errors") && row[name] > 0) || undefined}
                  >
                    {show.number(row[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
