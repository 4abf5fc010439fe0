import type { ApiKey } from "../api/portal-records.ts";
import { RevokeDialog } from "../common/revoke-dialog.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeKeyDialog({ apiKey, ...then }: RevokeKeyProps) {
  const { keys: words } = useTexts();
  return <RevokeDialog secret={apiKey} path={`/keys/${apiKey.key_id}/revoke`} words={words} {...then} />;
}
