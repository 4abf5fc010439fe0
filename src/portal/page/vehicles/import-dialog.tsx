import { useState } from "react";
import type { RowProblem } from "../../records/vehicle-rows.ts";
import { send } from "../api/request.ts";
import { FormDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Field, FieldFrame } from "../common/fields/field.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { usePreview } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

type Problem = RowProblem["problem"];

/** What the server reads in the rows. */
interface ReadRows {
  readonly rows: number;
  readonly refused: number;
  readonly problems: readonly { readonly line: number; readonly problem: Problem }[];
}

interface ImportProps {
  readonly onClose: () => void;
  readonly onImported: () => void;
}

const path = "/fleet/devices/import";
const example = "IMEI;Name;Plate\n356307042441013;Van 1;RV 101\n356307042441021;Van 2;RV 102";

/** Adds many vehicles from cells that are pasted, or from a file: all of them or none. */
export function ImportDialog({ onClose, onImported }: ImportProps) {
  const { vehicles: words, common, show } = useAdministrationTexts();
  const [csv, setCsv] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isEmpty = csv.trim() === "";
  const { preview: read, error, fail } = usePreview<ReadRows>(isEmpty ? null : { method: "POST", path, body: { csv } });
  const add = async () => {
    setBusy(true);
    try {
      const { data } = await send<{ readonly data: { readonly added: number } }>("POST", path, { csv });
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
            className="import-rows"
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
                <li key={line}>{words.importProblem(show.number(line), words.importProblems[problem])}</li>
              ))}
            </ul>
            {read.refused > read.problems.length && (
              <p>{words.importMore(show.number(read.refused - read.problems.length))}</p>
            )}
            <p>{words.importCorrect}</p>
          </Notice>
        )}
        {read?.refused === 0 && (
          <p>{read.rows === 0 ? words.importNothing : words.importReady(read.rows, show.number(read.rows))}</p>
        )}
      </div>
    </FormDialog>
  );
}
