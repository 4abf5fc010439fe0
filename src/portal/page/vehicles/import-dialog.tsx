import { useEffect, useId, useState } from "react";
import type { Effect } from "../api/portal-records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";

type Problem = "unreadable" | "imei" | "name" | "plate" | "twice" | "taken";

/** What the server reads in the rows. */
interface Reading {
  readonly effect: Effect;
  /** How many can be added. */
  readonly rows: number;
  readonly refused: number;
  readonly problems: readonly { readonly line: number; readonly problem: Problem }[];
}

/** A person should not see it jump at each letter. */
const pauseMs = 400;
const path = "/fleet/devices/import";
const example = "IMEI;Name;Plate\n356307042441013;Van 1;RV 101\n356307042441021;Van 2;RV 102";

/** Adds many vehicles from cells that are pasted, or from a file: all of them or none. */
export function ImportDialog({
  onClose,
  onImported,
}: {
  readonly onClose: () => void;
  readonly onImported: () => void;
}) {
  const { vehicles: words } = useAdministrationTexts();
  const { common } = useTexts();
  const show = useShow();
  const id = useId();
  const [csv, setCsv] = useState("");
  const [reading, setReading] = useState<Reading | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    setReading(null);
    setError(null);
    if (csv.trim() === "") return;
    let isOld = false;
    const timer = setTimeout(async () => {
      try {
        const { data } = await send<{ readonly data: Reading }>("POST", `${path}?preview=true`, { csv });
        if (!isOld) setReading(data);
      } catch (cause) {
        if (!isOld) setError(cause);
      }
    }, pauseMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [csv]);
  const add = async () => {
    setBusy(true);
    try {
      const { data } = await send<{ readonly data: { readonly added: number } }>("POST", path, { csv });
      announce(words.imported(data.added, show.number(data.added)));
      onImported();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const canAdd = reading !== null && reading.refused === 0 && reading.rows > 0;
  return (
    <Dialog title={words.importTitle} onClose={onClose} mustDecide={csv.trim() !== ""} wide>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>{words.importWhat}</p>
        <div className="field">
          <label htmlFor={`${id}-rows`}>{words.importRows}</label>
          <textarea
            id={`${id}-rows`}
            className="import-rows"
            data-first-focus
            spellCheck={false}
            placeholder={example}
            value={csv}
            onChange={({ target }) => setCsv(target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-file`}>{words.importFile}</label>
          <input
            id={`${id}-file`}
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={async ({ target }) => {
              const [file] = target.files ?? [];
              if (file) setCsv(await file.text());
            }}
          />
        </div>
        <div aria-live="polite">
          {reading !== null && reading.refused > 0 && (
            <Notice kind="warning">
              <ul className="import-problems">
                {reading.problems.map(({ line, problem }) => (
                  <li key={line}>{words.importProblem(show.number(line), words.importProblems[problem])}</li>
                ))}
              </ul>
              {reading.refused > reading.problems.length && (
                <p>{words.importMore(show.number(reading.refused - reading.problems.length))}</p>
              )}
              <p>{words.importCorrect}</p>
            </Notice>
          )}
          {reading !== null && reading.refused === 0 && (
            <p>
              {reading.rows === 0 ? words.importNothing : words.importReady(reading.rows, show.number(reading.rows))}
            </p>
          )}
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="button" className="button button-primary" disabled={!canAdd || isBusy} onClick={add}>
            {isBusy ? common.saving : words.importIt(show.number(reading?.rows ?? 0))}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
