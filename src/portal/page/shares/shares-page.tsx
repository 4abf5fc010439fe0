import { to } from "../../both-sides/address.ts";
import type { MadeShare, ShareRecord } from "../../both-sides/contract/shares.ts";
import { send } from "../api/request.ts";
import { useAnswer } from "../common/loading/use-load.ts";
import { useNow } from "../common/reading/clock.ts";
import { Time } from "../common/reading/time.tsx";
import { useSession } from "../common/session.ts";
import { Credentials } from "../credentials/credentials.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { MadeShareDialog, ShareDialog } from "./share-dialog.tsx";

/** The share links of a person, for the owner those of the account. */
export default function SharesPage() {
  const { shares: words, common } = useTexts();
  const isOwner = useSession().user.role === "owner";
  const loading = useAnswer("GET /shares");
  const now = useNow(30_000);
  const madeBy = { label: words.madeBy, cell: ({ maker }: ShareRecord) => maker.name };
  return (
    <div className="page">
      <Credentials<ShareRecord, MadeShare>
        words={words}
        caption={words.title}
        about={isOwner ? words.everyLink : words.ownLinks}
        icon="share"
        loading={loading}
        revoke={({ share_id }) => send(to("POST /shares/{share_id}/revoke", { share_id }))}
        idOf={({ share_id }) => share_id}
        stateOf={({ state }) => state}
        isLasting={({ state }) => state === "open"}
        badges={({ state }) =>
          state !== "open" && <span className={`badge badge-${badgeOf(state)}`}>{words.states[state]}</span>
        }
        columns={[
          { label: words.shows, cell: (share) => <Vehicles share={share} /> },
          { label: words.what, cell: (share) => <What share={share} /> },
          ...(isOwner ? [madeBy] : []),
          { label: words.until, cell: ({ until }) => <Time at={until} /> },
          {
            label: words.lastOpened,
            cell: ({ last_opened_at: at }) => (at === null ? common.never : <Time at={at} now={now} />),
          },
        ]}
        createDialog={(then) => <ShareDialog {...then} />}
        madeDialog={(made, onClose) => <MadeShareDialog made={made} onClose={onClose} />}
      />
    </div>
  );
}

function badgeOf(state: ShareRecord["state"]): "expired" | "revoked" {
  return state === "expired" ? "expired" : "revoked";
}

/** Of a long list the first ones. */
const maxNamed = 3;

function Vehicles({ share: { vehicles, label } }: { readonly share: ShareRecord }) {
  const { common, show } = useTexts();
  if (vehicles.length === 0) return common.unknown;
  const named = vehicles.slice(0, maxNamed).map(({ name, plate }) => (label === "plate" && plate ? plate : name));
  const others = vehicles.length - named.length;
  return (
    <span title={vehicles.map(({ name }) => name).join(", ")}>
      {named.join(", ")}
      {others > 0 && ` + ${show.number(others)}`}
    </span>
  );
}

function What({ share: { live, period } }: { readonly share: ShareRecord }) {
  const { shares: words, show } = useTexts();
  const time = (at: string) => show.time(Date.parse(at), "minute");
  return (
    <span className="tags">
      {live && <span className="tag">{words.live}</span>}
      {period !== null && <span>{words.track(time(period.from), time(period.to))}</span>}
    </span>
  );
}
