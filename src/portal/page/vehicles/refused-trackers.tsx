import { useEffect, useState } from "react";
import { getJson } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useNow } from "../common/reading/clock.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

const fewShown = 3;

interface RefusedTrackersProps {
  /** Of the vehicles in the list: what was just added is not offered again. */
  readonly imeis: ReadonlySet<string>;
  readonly onAdd: (imei: string) => void;
}

/** Trackers that report although no vehicle has their IMEI. Nothing if there are none, or while it is not known. */
export function RefusedTrackers({ imeis, onAdd }: RefusedTrackersProps) {
  const { vehicles: words, common, show } = useAdministrationTexts();
  const now = useNow(lookEveryMs);
  const [isWhole, setWhole] = useState(false);
  const unknown = useUnknownDevices().filter(({ imei }) => !imeis.has(imei));
  if (unknown.length === 0) return null;
  const shown = isWhole ? unknown : unknown.slice(0, fewShown);
  return (
    <section aria-labelledby="refused-trackers">
      <Notice kind="info">
        <h2 id="refused-trackers">{words.refusedTitle}</h2>
        <p>{words.refusedWhat}</p>
        <ul className="refused-list">
          {shown.map(({ imei, last_seen_at }) => (
            <li key={imei}>
              <span>{words.refused(imei, show.age(now - Date.parse(last_seen_at)))}</span>
              <Button
                look="small"
                icon="plus"
                text={words.addThis}
                aria-label={words.addImei(imei)}
                onClick={() => onAdd(imei)}
              />
            </li>
          ))}
        </ul>
        {unknown.length > shown.length && (
          <button type="button" className="link-button" onClick={() => setWhole(true)}>
            {common.showMoreRows(show.number(unknown.length - shown.length))}
          </button>
        )}
      </Notice>
    </section>
  );
}

/** An IMEI that was refused lately. */
interface UnknownDevice {
  readonly imei: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly count: number;
}

/** Somebody may have just switched on a tracker, and waits for it to appear. */
const lookEveryMs = 3_000;

const load = (signal: AbortSignal) => getJson<{ data: readonly UnknownDevice[] }>("/fleet/unknown-devices", signal);

/** Trackers that reported lately and that no vehicle has. */
export function useUnknownDevices(): readonly UnknownDevice[] {
  const { loaded, reload } = useLoad(load);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [reload]);
  return loaded.data?.data ?? [];
}
