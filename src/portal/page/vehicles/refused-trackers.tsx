import { useState } from "react";
import { trackerKey } from "../../../domain/text/identifiers.ts";
import type { UnknownDevice } from "../../both-sides/contract/trackers.ts";
import { getJson } from "../api/request.ts";
import { Button, LinkButton } from "../common/elements/button.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useRepeatedLoad } from "../common/loading/use-repeated-load.ts";
import { useNow } from "../common/reading/clock.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { protocolName } from "./tracker-protocol.ts";
import type { KnownTracker } from "./vehicle-dialog.tsx";

const fewShown = 3;

interface RefusedTrackersProps {
  /** Of IMEIs and tracker ids of the vehicles in the list: what was just added is not offered again. */
  readonly keys: ReadonlySet<string>;
  readonly onAdd: (tracker: Partial<KnownTracker>) => void;
}

/** Trackers that report although no vehicle has their IMEI. Nothing if there are none, or while it is not known. */
export function RefusedTrackers({ keys, onAdd }: RefusedTrackersProps) {
  const { vehicles: words, common, show } = useAdministrationTexts();
  const now = useNow(lookEveryMs);
  const [isWhole, setWhole] = useState(false);
  const unknown = useUnknownDevices().filter((tracker) => !keys.has(trackerKey(trackerName(tracker))));
  if (unknown.length === 0) return null;
  const shown = isWhole ? unknown : unknown.slice(0, fewShown);
  return (
    <section aria-labelledby="refused-trackers">
      <Notice kind="info">
        <h2 id="refused-trackers">{words.refusedTitle}</h2>
        <p>{words.refusedWhat}</p>
        <ul className="refused-list">
          {shown.map((tracker) => (
            <li key={trackerName(tracker)}>
              <span>{words.refused(shownTracker(tracker), show.age(now - Date.parse(tracker.last_seen_at)))}</span>
              <Button
                look="small"
                icon="plus"
                text={words.addThis}
                aria-label={(tracker.imei === null ? words.addTracker : words.addImei)(trackerName(tracker))}
                onClick={() => onAdd(knownOf(tracker))}
              />
            </li>
          ))}
        </ul>
        {unknown.length > shown.length && (
          <LinkButton
            onClick={() => setWhole(true)}
            text={common.showMoreRows(show.number(unknown.length - shown.length))}
          />
        )}
      </Notice>
    </section>
  );
}

export function trackerName({ imei, tracker_id }: UnknownDevice): string {
  return imei ?? tracker_id ?? "";
}

export function shownTracker(tracker: UnknownDevice): string {
  const { protocol } = tracker;
  return protocol === null ? trackerName(tracker) : `${trackerName(tracker)} (${protocolName(protocol)})`;
}

function knownOf({ imei, tracker_id, protocol }: UnknownDevice): Partial<KnownTracker> {
  return { imei: imei ?? "", tracker_id, tracker_protocol: protocol };
}

/** A person may have just switched on a tracker, and waits for it to appear. */
const lookEveryMs = 3_000;

const loadUnknownDevices = (signal: AbortSignal) => getJson("GET /fleet/unknown-devices", signal);

/** The IMEIs among them, where nothing else can be used. */
export function useUnknownImeis(): readonly string[] {
  return useUnknownDevices().flatMap(({ imei }) => imei ?? []);
}

const none: readonly UnknownDevice[] = [];

/** Trackers that reported lately and that no vehicle has. */
export function useUnknownDevices(): readonly UnknownDevice[] {
  return useRepeatedLoad(loadUnknownDevices, lookEveryMs).loaded.data?.data ?? none;
}
