import type { MadeKey } from "../api/portal-records.ts";
import { Copyable } from "../common/copyable.tsx";
import { MadeSecretDialog } from "../common/made-secret-dialog.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { curlLine } from "./curl-line.ts";

interface MadeKeyProps {
  readonly made: MadeKey;
  readonly onClose: () => void;
}

export function MadeKeyDialog({ made, onClose }: MadeKeyProps) {
  const { keys: words } = useTexts();
  const { base_url } = useSession();
  const curl = curlLine(base_url, made.key, made.data.scopes);
  return (
    <MadeSecretDialog title={words.ready(made.data.name)} words={words} onClose={onClose}>
      <Copyable title={words.key} text={made.key} testId="made-key" />
      <Copyable title={words.tryIt} text={curl} what={words.curlLine} testId="curl-line" />
    </MadeSecretDialog>
  );
}
