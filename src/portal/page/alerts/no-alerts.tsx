import { Button } from "../common/elements/button.tsx";
import { EmptyState } from "../common/loading/notice.tsx";
import { useAddress } from "../common/navigation/address.ts";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { AlertFilter } from "./alert-filter.ts";

const noFilters = { severity: null, type: null, state: null, vehicle: null, tag: null };
const noPeriod = { period: null, from: null, to: null };

/** Why there is nothing to see, and where there may be something. */
export function NoAlerts({ filter }: { readonly filter: AlertFilter }) {
  const { alerts: words, common } = useTexts();
  const { set, get } = useAddress();
  const { role } = useSession().user;
  const isWhole = get("period") === null && get("from") === null;
  if (filter.alertType !== "" || filter.vehicles !== null) {
    return (
      <EmptyState icon="bell" title={words.nothingFits}>
        <Button text={common.clearFilters} onClick={() => set({ ...noFilters, ...noPeriod })} />
      </EmptyState>
    );
  }
  if (isWhole && filter.state === "all" && filter.severities.length === 3) {
    return (
      <EmptyState icon="bell" title={words.noneAtAll}>
        <p>{role === "owner" ? words.fromRules : `${words.fromRules} ${words.ownerSetsRules}`}</p>
        {role === "owner" && (
          <Link to="/fleet/rules" className="button">
            {words.changeRules}
          </Link>
        )}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="bell" title={words.nothingOpen}>
      <p>{words.nothingOpenText}</p>
      <Button
        text={words.showAll}
        onClick={() => set({ ...noFilters, ...noPeriod, state: "all", severity: "critical,warning,info" })}
      />
    </EmptyState>
  );
}
