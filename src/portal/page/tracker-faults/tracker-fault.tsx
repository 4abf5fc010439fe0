import { maxAheadMs } from "../../../domain/quality/clock.ts";
import type { TrackerFaultRecord } from "../../both-sides/contract/trackers.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { Texts } from "../../both-sides/texts/texts.ts";
import { Notice } from "../common/loading/notice.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";
import { useTrackerFault } from "./use-tracker-faults.ts";

/** What is wrong with a vehicle's tracker, what that means and what to do. Nothing if nothing is. */
export function TrackerFaultNotice({ deviceId }: { readonly deviceId: string }) {
  return <FaultNotice fault={useTrackerFault(deviceId)} />;
}

export function FaultNotice({ fault }: { readonly fault: TrackerFaultRecord | null }) {
  const { trackerFaults: words } = useTexts();
  const facts = useFaultWords(fault);
  if (fault === null) return null;
  return (
    <Notice kind="warning">
      {facts.map(({ what, so }) => (
        <p key={what}>
          <strong>{what}</strong> {so}
        </p>
      ))}
      {fault.right_clock !== null && (
        <p>
          {words.remedy} <SetClock fault={fault} />
        </p>
      )}
    </Notice>
  );
}

/** The same in a few words, for a line of a list. */
export function TrackerFaultLine({ deviceId }: { readonly deviceId: string }) {
  const fault = useTrackerFault(deviceId);
  const facts = useFaultWords(fault);
  if (fault === null) return null;
  return (
    <span className="tracker-fault block fine">
      {facts.map(({ what }) => what).join(" ")} <SetClock fault={fault} />
    </span>
  );
}

/** Leads the owner to the form of the vehicle, filled in. Nobody else can change it. */
function SetClock({ fault: { device_id, right_clock: clock } }: { readonly fault: TrackerFaultRecord }) {
  const { trackerFaults: words } = useTexts();
  const { role } = useSession().user;
  if (clock === null) return null;
  if (role !== "owner") return words.ownerSets;
  return <Link to={`/fleet/vehicles?${new URLSearchParams({ edit: device_id, clock })}`}>{words.set(clock)}</Link>;
}

function useFaultWords(fault: TrackerFaultRecord | null): readonly { readonly what: string; readonly so: string }[] {
  const { trackerFaults: words, show } = useTexts();
  return fault === null ? [] : [...clockWords(fault, words, show), ...(fault.shares_imei ? [words.twins] : [])];
}

function clockWords({ clock_ahead_s: ahead }: TrackerFaultRecord, words: Texts["trackerFaults"], show: Show) {
  if (ahead === null) return [];
  const by = show.duration(Math.abs(ahead));
  const what = ahead > 0 ? words.fast(by) : words.slow(by);
  return [{ what, so: 1000 * ahead > maxAheadMs ? words.notBelieved : words.wrongTimes }];
}
