import { useState } from "react";
import type { ReadSheet, SheetVehicle, VehicleColumn } from "../../both-sides/contract/vehicles.ts";
import { send } from "../api/request.ts";
import { FormDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Field, FieldFrame } from "../common/fields/field.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { usePreview } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface ImportProps {
  readonly onClose: () => void;
  readonly onImported: () => void;
}

const target = "POST /fleet/devices/import";
const example = "IMEI;Name;Plate;Tags\n356307042441013;Van 1;RV 101;north\n356307042441021;Van 2;RV 102;north, cold";

/** Adds many vehicles from cells that are pasted, or from a file: all of them or none. */
export default function ImportDialog({ onClose, onImported }: ImportProps) {
  const { vehicles: words, audit, common, show } = useAdministrationTexts();
  const problems: Readonly<Record<string, string>> = words.importProblems;
  const [csv, setCsv] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isEmpty = csv.trim() === "";
  const { preview: read, error, fail } = usePreview(isEmpty ? null : { target, body: { csv } });
  const add = async () => {
    setBusy(true);
    try {
      const { data } = await send(target, { csv });
      announce(words.imported(data.added, show.number(data.added)));
      onImported();
    } catch (cause) {
      fail(cause);
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={words.importTitle}
      wide
      mustDecide={!isEmpty}
      error={error}
      isBusy={isBusy}
      isDisabled={read === null || read.refused > 0 || read.rows === 0}
      words={[words.importIt(show.number(read?.rows ?? 0)), common.saving]}
      onConfirm={add}
      onClose={onClose}
    >
      <p>{words.importWhat}</p>
      <FieldFrame label={words.importRows}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="import-rows full"
            data-first-focus
            spellCheck={false}
            placeholder={example}
            value={csv}
            onChange={({ target }) => setCsv(target.value)}
          />
        )}
      </FieldFrame>
      <Field
        label={words.importFile}
        type="file"
        accept=".csv,text/csv,text/plain"
        onChange={async ({ target }) => {
          const [file] = target.files ?? [];
          if (file) setCsv(await file.text());
        }}
      />
      <div aria-live="polite">
        {read !== null && read.refused > 0 && (
          <Notice kind="warning">
            <ul className="import-problems">
              {read.problems.map(({ line, problem }) => (
                <li key={line}>
                  {words.importProblem(
                    show.number(line),
                    problems[problem] ?? words.importWrong(audit.fields[problem] ?? problem),
                  )}
                </li>
              ))}
            </ul>
            {read.refused > read.problems.length && (
              <p>{words.importMore(show.number(read.refused - read.problems.length))}</p>
            )}
            <p>{words.importCorrect}</p>
          </Notice>
        )}
        {read !== null && read.ignored.length > 0 && (
          <Notice kind="info">{words.importIgnored(read.ignored.join(", "))}</Notice>
        )}
        {read !== null && read.first.length > 0 && <FirstRows read={read} />}
        {read?.refused === 0 && (
          <p>{read.rows === 0 ? words.importNothing : words.importReady(read.rows, show.number(read.rows))}</p>
        )}
      </div>
    </FormDialog>
  );
}

/** What the first rows are read as, so that a column in the wrong place is seen before anything is added. */
function FirstRows({ read: { columns, first } }: { readonly read: ReadSheet }) {
  const { vehicles: words, audit } = useAdministrationTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="import-first" aria-label={words.importFirst} tabIndex={0}>
      <table className="table">
        <caption>{words.importFirst}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {audit.fields[column] ?? column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map((row) => (
            <tr key={row.imei}>
              {columns.map((column) => (
                <td key={column}>{cellText(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellText(value: SheetVehicle[VehicleColumn]): string {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map((pair) => pair.join(" "))
      .join(", ");
  return String(value ?? "");
}
