import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { Address } from "../../both-sides/address.ts";
import type { PreviewOf } from "../../both-sides/contract/contract.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import { preview, send } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { ChoiceList } from "../common/fields/choices.tsx";
import { Field } from "../common/fields/field.tsx";
import { LoadState, Notice } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { ChangedNotice } from "./conflict-notice.tsx";
import type { ConflictFields } from "./conflict-parts.ts";
import { useSeen } from "./use-edit.ts";

type VehicleWords = AdministrationTexts["vehicles"];

type Words = Pick<VehicleWords, "removeTitle" | "keepWhat" | "keepIt" | "removed"> &
  Pick<VehicleWords, "eraseWhat" | "erased"> & {
    readonly historyTitle?: string;
    /** On the button that closes the dialog, if not "Cancel". */
    readonly cancel?: string;
    /** Where erasing must be confirmed by the name. */
    readonly typeName?: VehicleWords["typeName"];
  };

type RemoveName = "POST /fleet/devices/{device_id}/remove" | "POST /fleet/users/{user_id}/remove";

interface RemoveDialogProps<Name extends RemoveName> {
  readonly record: { readonly name: string; readonly revision: number };
  readonly target: Address<Name>;
  readonly words: Words;
  readonly fields: ConflictFields;
  readonly wide?: boolean;
  /** What is lost; null: not known yet. */
  readonly children: (lost: PreviewOf<Name>["data"] | null) => ReactNode;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  /** Another person was faster: the list must be loaded again. */
  readonly onStale: () => void;
}

/** Removes a vehicle or a person: hidden with what is stored, or erased. */
export function RemoveDialog<Name extends RemoveName>(props: RemoveDialogProps<Name>) {
  const { record, target, words, fields, wide = false, children, onClose, onRemoved, onStale } = props;
  const { fleet } = useAdministrationTexts();
  const { revision, conflict, take } = useSeen(record.revision);
  const name = String(conflict?.current.name ?? record.name);
  const [history, setHistory] = useState<"keep" | "erase">("keep");
  const confirmation = useTypedName(name, words.typeName);
  const { submit, ...state } = useSubmit();
  const unlessConflict = useCallback(
    (cause: unknown) => {
      if (!take(cause)) throw cause;
      return null;
    },
    [take],
  );
  const loading = useLoad(
    useCallback(
      () =>
        // What is lost does not depend on what becomes of the history.
        preview(target, { revision, history: "keep" }).then(({ data }) => data, unlessConflict),
      [target, revision, unlessConflict],
    ),
  );
  useEffect(() => {
    if (conflict !== null) onStale();
  }, [conflict, onStale]);
  const remove = () =>
    submit(async () => {
      const removed = await send(target, { revision, history }).then(() => true, unlessConflict);
      if (removed === null) return;
      announce((history === "keep" ? words.removed : words.erased)(name));
      onRemoved();
    });
  const [yes, yesAnyway] = history === "keep" ? [words.keepIt, fleet.removeAnyway] : [fleet.erase, fleet.eraseAnyway];
  return (
    <FormDialog
      title={words.removeTitle(name)}
      wide={wide}
      {...state}
      words={[conflict === null ? yes : yesAnyway, fleet.removing, words.cancel]}
      isDangerous
      isDisabled={history === "erase" && !confirmation.isTyped}
      onConfirm={remove}
      onClose={onClose}
    >
      {conflict !== null && <ChangedNotice conflict={conflict} {...fields} />}
      <LoadState {...loading} />
      {children(loading.loaded.data)}
      <ChoiceList
        legend={words.historyTitle}
        choices={[
          ["keep", fleet.keep, words.keepWhat],
          ["erase", fleet.erase, words.eraseWhat],
        ]}
        value={history}
        onChange={setHistory}
      />
      {history === "erase" && confirmation.field}
    </FormDialog>
  );
}

/** Asks for the name before what cannot be undone, unless there is nothing to ask with. */
export function useTypedName(name: string, typeName: Words["typeName"]) {
  const { fleet } = useAdministrationTexts();
  const [typed, setTyped] = useState("");
  // As a person reads it off and types it.
  const plain = (text: string) => text.trim().replaceAll(/\s+/g, " ").toLowerCase();
  const field = typeName && (
    <>
      <Notice kind="warning">
        <strong>{fleet.cannotUndo}</strong>
      </Notice>
      <Field
        label={typeName(name)}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
    </>
  );
  return { field, isTyped: typeName === undefined || plain(name) === plain(typed) };
}
