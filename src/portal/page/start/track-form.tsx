import { useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { StoredTrack } from "../../both-sides/contract/tracks.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { PortalError, send } from "../api/request.ts";
import { Field, Select } from "../common/fields/field.tsx";
import { ErrorNotice, LoadingState, LoadState, Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { VehicleShortForm } from "../vehicles/short-form.tsx";
import { madeUpImei } from "./made-up-imei.ts";
import { trackPieces } from "./track-pieces.ts";

/** A drive that was recorded elsewhere, of a vehicle of the fleet or of one that is added for it. */
export function TrackForm() {
  const { start, vehicles: words } = useAdministrationTexts();
  const fleet = useAnswer("GET /fleet/devices");
  const [added, setAdded] = useState<FleetVehicle | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [imei] = useState(madeUpImei);
  const vehicles = added === null ? (fleet.loaded.data?.data ?? []) : [added];
  const vehicle = vehicles.find(({ device_id }) => device_id === chosen) ?? vehicles[0];
  return (
    <section className="card column gap-4" aria-labelledby="track">
      <h2 id="track">{start.track.title}</h2>
      <p>{start.track.what}</p>
      <LoadState {...fleet} />
      {fleet.loaded.data !== null && vehicle === undefined && (
        <VehicleShortForm
          suggestedImei={imei}
          imeiHint={start.track.imeiHint}
          addText={words.addIt}
          onAdded={setAdded}
        />
      )}
      {vehicle !== undefined && (
        <>
          <Select
            label={start.track.vehicle}
            value={vehicle.device_id}
            onChange={setChosen}
            options={vehicles.map(({ device_id, name }) => [device_id, name])}
          />
          <TrackFile key={vehicle.device_id} deviceId={vehicle.device_id} />
        </>
      )}
    </section>
  );
}

type Progress =
  | { readonly state: "waiting" }
  | { readonly state: "storing"; readonly share: number }
  | { readonly state: "stored"; readonly track: StoredTrack }
  | { readonly state: "failed"; readonly problem: "wrong" | "large" }
  | { readonly state: "error"; readonly error: unknown };

function TrackFile({ deviceId }: { readonly deviceId: string }) {
  const { start, show } = useAdministrationTexts();
  const words = start.track;
  const [progress, setProgress] = useState<Progress>({ state: "waiting" });
  const store = async (file: File) => {
    setProgress({ state: "storing", share: 0 });
    try {
      setProgress(await storeTrack(deviceId, await file.text(), (share) => setProgress({ state: "storing", share })));
    } catch (error) {
      const isWrong = error instanceof PortalError && error.fields.file !== undefined;
      setProgress(isWrong ? { state: "failed", problem: "wrong" } : { state: "error", error });
    }
  };
  return (
    <>
      <Field
        label={words.file}
        type="file"
        accept=".gpx,.csv,.tsv,.txt,application/gpx+xml,text/csv,text/plain"
        disabled={progress.state === "storing"}
        problem={progress.state === "failed" ? words[progress.problem] : undefined}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void store(file);
        }}
      />
      <div aria-live="polite">
        {progress.state === "storing" && <LoadingState label={words.storing(show.percent(100 * progress.share))} />}
        {progress.state === "error" && <ErrorNotice error={progress.error} />}
        {progress.state === "stored" && <Stored deviceId={deviceId} track={progress.track} />}
      </div>
    </>
  );
}

function Stored({ deviceId, track }: { readonly deviceId: string; readonly track: StoredTrack }) {
  const { start, show } = useAdministrationTexts();
  const words = start.track;
  const { added, unchanged, refused, first_refused, last_at } = track;
  return (
    <Notice kind={added + unchanged > 0 ? "success" : "warning"}>
      <p>{words.stored(added, show.number(added))}</p>
      {unchanged > 0 && <p>{words.there(show.number(unchanged))}</p>}
      {refused > 0 && <p>{words.leftOut(show.number(refused), show.number(first_refused ?? 1))}</p>}
      {last_at !== null && <Link to={`/map/${deviceId}?at=${last_at}`}>{words.show}</Link>}
    </Notice>
  );
}

/** Piece by piece: a proxy takes only so much at once. */
async function storeTrack(
  device_id: string,
  text: string,
  onProgress: (share: number) => void,
): Promise<Extract<Progress, { readonly state: "stored" | "failed" }>> {
  const pieces = trackPieces(text);
  if (pieces === null) return { state: "failed", problem: "large" };
  let track: StoredTrack = { added: 0, unchanged: 0, refused: 0, first_refused: null, last_at: null };
  for (const [index, { text: piece, skippedLines }] of pieces.entries()) {
    onProgress(index / pieces.length);
    const { data } = await send(to("PUT /tracks/{device_id}", { device_id }), new Blob([piece]));
    track = {
      added: track.added + data.added,
      unchanged: track.unchanged + data.unchanged,
      refused: track.refused + data.refused,
      first_refused: track.first_refused ?? (data.first_refused === null ? null : data.first_refused + skippedLines),
      last_at:
        [track.last_at, data.last_at]
          .filter((at) => at !== null)
          .sort()
          .at(-1) ?? null,
    };
  }
  return { state: "stored", track };
}
