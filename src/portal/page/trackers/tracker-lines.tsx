import { useId, useState } from "react";
import { Copyable } from "../common/copyable.tsx";
import { Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { IngestAddress } from "./token-records.ts";
import { offeredWays, type Place, pastesOf, somePlace, type TrackerWay } from "./tracker-ways.ts";

interface TrackerLinesProps {
  readonly address: IngestAddress;
  /** Null: it is not known any more, and `TOKEN` stands in its place. */
  readonly token: string | null;
  /** Null: no vehicle yet; an example stands in its place. */
  readonly imei: string | null;
  readonly place?: Place | null;
  readonly firstWay?: TrackerWay;
}

/** An IMEI with a right last digit, of no device that was ever made. */
const exampleImei = "356307042441013";

/** For each way in, what to paste where. */
export function TrackerLines({ address, token, imei, place = null, firstWay = "traccar" }: TrackerLinesProps) {
  const id = useId();
  const { trackers: words } = useAdministrationTexts();
  const [chosen, setChosen] = useState<TrackerWay>(firstWay);
  const ways = offeredWays(address);
  const way = ways.includes(chosen) ? chosen : "traccar";
  const values = { address, token: token ?? "TOKEN", imei: imei ?? exampleImei, place: place ?? somePlace };
  return (
    <div className="tracker-lines">
      <fieldset className="ways">
        <legend className="visually-hidden">{words.way}</legend>
        {ways.map((each) => (
          <label key={each}>
            <input type="radio" name={id} checked={each === way} onChange={() => setChosen(each)} />
            <span>{words.ways[each]}</span>
          </label>
        ))}
      </fieldset>
      <p className="quiet">{words.wayWhat[way]}</p>
      {pastesOf(way, values).map(({ into, text }) => (
        <Copyable key={into} title={words.into[into]} text={text} testId={`paste-${into}`} />
      ))}
      {(way === "traccar_client" || way === "osmand") && <Notice kind="info">{words.secretInAddress}</Notice>}
    </div>
  );
}
