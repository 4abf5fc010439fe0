import type { FenceDetails } from "../../both-sides/contract/fences.ts";
import { Notice } from "../common/loading/notice.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

const types = ["geofence_exit", "geofence_enter"] as const;

/** Leads to the rule that would watch the fence, filled in: one click here and one to save it. */
export function NotWatched({ fence }: { readonly fence: FenceDetails }) {
  const { fences: words } = useAdministrationTexts();
  return (
    <Notice kind="info">
      <p>{fence.device_count === 0 ? words.notWatchedEmpty : words.notWatched}</p>
      {fence.device_count > 0 && (
        <div className="button-row">
          {types.map((type) => (
            <Link
              key={type}
              className="button button-small"
              to={`/fleet/rules?edit=${type}&watch=${fence.geofence_id}`}
            >
              {words.watch[type]}
            </Link>
          ))}
        </div>
      )}
    </Notice>
  );
}
