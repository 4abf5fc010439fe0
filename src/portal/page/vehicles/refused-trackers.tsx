import { useState } from "react";
import { Icon } from "../common/elements/icon.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useNow } from "../common/reading/clock.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { lookEveryMs, useUnknownDevices } from "./use-unknown-devices.ts";

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
              <button
                type="button"
                className="button button-small"
                aria-label={words.addImei(imei)}
                onClick={() => onAdd(imei)}
              >
                <Icon name="plus" />
                {words.addThis}
              </button>
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
