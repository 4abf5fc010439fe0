import { useState } from "react";
import type { ApiKey, MadeKey } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { Select } from "../common/field.tsx";
import { FormDialog, useSubmit } from "../common/form-dialog.tsx";
import { Notice } from "../common/notice.tsx";
import type { RotateProps } from "../credentials/credentials.tsx";
import { useTexts } from "../texts/use-texts.ts";

/** Hours for which both keys work. */
const overlaps = ["0", "1", "24", "72", "168"] as const;

export function RotateKeyDialog({ apiKey, onClose, onMade, onRefused }: RotateProps<MadeKey> & { apiKey: ApiKey }) {
  const { keys: words } = useTexts();
  const [hours, setHours] = useState("24");
  const { submit, ...state } = useSubmit();
  const rotate = async () => {
    try {
      onMade(await send<MadeKey>("POST", `/keys/${apiKey.key_id}/rotate`, { overlap_hours: Number(hours) }));
    } catch (cause) {
      if (cause instanceof PortalError && cause.status >= 400 && cause.status < 500) onRefused();
      throw cause;
    }
  };
  return (
    <FormDialog
      title={words.rotateTitle(apiKey.name)}
      onClose={onClose}
      {...state}
      words={[words.rotateIt, words.rotating]}
      onConfirm={() => submit(rotate)}
    >
      <p>{words.rotateWhat}</p>
      <Select
        label={words.oldEnds}
        value={hours}
        onChange={setHours}
        options={overlaps.map((choice) => [choice, words.overlap[choice]] as const)}
      />
      <Notice kind="info">{words.shownOnce}</Notice>
    </FormDialog>
  );
}
