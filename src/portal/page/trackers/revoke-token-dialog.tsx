import { useNow } from "../common/clock.ts";
import { Notice } from "../common/notice.tsx";
import { RevokeDialog } from "../common/revoke-dialog.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { IngestToken } from "./token-records.ts";

interface RevokeTokenProps {
  readonly token: IngestToken;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Says whether something still sends with it. */
export function RevokeTokenDialog({ token, ...then }: RevokeTokenProps) {
  const { trackers: words } = useAdministrationTexts();
  const show = useShow();
  const now = useNow(30_000);
  const ago = token.last_used_at === null ? null : show.age(now - Date.parse(token.last_used_at));
  return (
    <RevokeDialog secret={token} path={`/fleet/tokens/${token.token_id}/revoke`} words={words} {...then}>
      {ago !== null && token.still_sends && <Notice kind="warning">{words.stillSends(ago)}</Notice>}
      {!token.still_sends && <p>{ago === null ? words.neverSent : words.lastSent(ago)}</p>}
    </RevokeDialog>
  );
}
