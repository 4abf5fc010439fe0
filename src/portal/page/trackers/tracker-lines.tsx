import { useId, useState } from "react";
import type { Place } from "../../../domain/geometry/distance.ts";
import type { IngestAddress } from "../../both-sides/contract/trackers.ts";
import { Copyable } from "../common/elements/copyable.tsx";
import { Segmented } from "../common/fields/choices.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { offeredWays, pastesOf, somePlace, type TrackerWay, trackerWays } from "./tracker-ways.ts";

interface TrackerLinesProps {
  readonly address: IngestAddress;
  /** Null: it is not known any more, and `TOKEN` stands in its place. */
  readonly token: string | null;
  /** Null: no vehicle yet; an example stands in its place. */
  readonly imei: string | null;
  readonly place?: Place | null;
  /** Of all ways those that come into question, the usual one first. */
  readonly offered?: readonly TrackerWay[];
}

/** An IMEI with a right last digit, of no device that was ever made. */
const exampleImei = "356307042441013";

/** For each way in, what to paste where. */
export function TrackerLines({ address, token, imei, place = null, offered = trackerWays }: TrackerLinesProps) {
  const id = useId();
  const { trackers: words } = useAdministrationTexts();
  const [chosen, setChosen] = useState<TrackerWay | null>(null);
  const there = offeredWays(address);
  const ways = offered.filter((way) => there.includes(way));
  const way = ways.find((each) => each === chosen) ?? ways[0] ?? "traccar";
  const values = { address, token: token ?? "TOKEN", imei: imei ?? exampleImei, place: place ?? somePlace };
  return (
    <div className="tracker-lines column gap-4">
      <Segmented
        name={id}
        label={words.way}
        options={ways}
        words={words.ways}
        value={way}
        onChange={setChosen}
        className="ways flex wrap gap-2"
      />
      <p className="quiet">{words.wayWhat[way]}</p>
      {pastesOf(way, values).map(({ into, text }) => (
        <Copyable key={into} title={words.into[into]} text={text} testId={`paste-${into}`} />
      ))}
      {(way === "traccar_client" || way === "osmand") && <Notice kind="info">{words.secretInAddress}</Notice>}
    </div>
  );
}

/** Where trackers send to, and what may be wrong with it. */
export function AddressNote({ address: { url, is_guess, is_loopback } }: { readonly address: IngestAddress }) {
  const { trackers: words } = useAdministrationTexts();
  const isPlain = !is_loopback && url.startsWith("http:");
  return (
    <>
      <p>
        {words.sendTo} <code className="break">{url}</code>
      </p>
      {(is_guess || is_loopback || isPlain) && (
        <Notice kind="warning">
          {is_guess && <p>{words.guess}</p>}
          {is_loopback && <p>{words.loopback}</p>}
          {isPlain && <p>{words.plain}</p>}
        </Notice>
      )}
    </>
  );
}
