import { Copyable } from "../common/copyable.tsx";
import { MadeSecretDialog } from "../common/made-secret-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AddressNote } from "./address-note.tsx";
import type { MadeToken } from "./token-records.ts";
import { VehicleLines } from "./vehicle-lines.tsx";

interface MadeTokenProps {
  readonly made: MadeToken;
  readonly onClose: () => void;
}

export function MadeTokenDialog({ made, onClose }: MadeTokenProps) {
  const { trackers: words } = useAdministrationTexts();
  return (
    <MadeSecretDialog title={words.ready(made.data.name)} words={words} onClose={onClose}>
      <Copyable title={words.token} text={made.token} testId="made-token" />
      <AddressNote address={made.ingest} />
      <VehicleLines address={made.ingest} token={made.token} />
    </MadeSecretDialog>
  );
}
