import { type KeyboardEvent, Suspense, useCallback, useMemo, useRef, useState } from "react";
import type { FenceShape } from "../../../domain/geometry/fence-shape.ts";
import { to } from "../../both-sides/address.ts";
import type { FenceDetails, ShapeFields } from "../../both-sides/contract/fences.ts";
import { getJson } from "../api/request.ts";
import { Button, IconButton, LinkButton } from "../common/elements/button.tsx";
import { ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { loadable, useAnswer, useLoad } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { useHeading } from "../common/navigation/page-head.tsx";
import { useNow } from "../common/reading/clock.ts";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { toVehicles } from "../map/layers/vehicle.ts";
import { useLivePositions } from "../map/use-live-positions.ts";
import { forgetFences } from "../places/use-fences.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { drawingProblem, emptyDrawing } from "./drawing.ts";
import { canFinish } from "./drawing-edits.ts";
import { FenceEditor } from "./fence-editor.tsx";
import { FenceList, RemovedFences } from "./fence-list.tsx";
import type { MapView } from "./fence-map.tsx";
import { type DrawingTool, useDrawing } from "./use-drawing.ts";

const FenceMap = loadable(() => import("./fence-map.tsx"));

const isNew = "new";

/** Fences beside the map: a list, or the one that is edited. */
export default function FencesPage() {
  const { fences: words, show } = useAdministrationTexts();
  const heading = useHeading(words.title);
  const address = useAddress();
  const wanted = address.get("fence");
  const { loaded: list, reload } = useAnswer("GET /fleet/geofences");
  const { loaded: details, reload: reloadDetails } = useLoad(
    useCallback(
      async (signal: AbortSignal) =>
        wanted === null || wanted === isNew
          ? null
          : (await getJson(to("GET /fleet/geofences/{geofence_id}", { geofence_id: wanted }), signal)).data,
      [wanted],
    ),
  );
  const opened = details.data?.geofence_id === wanted ? details.data : null;
  const devices = useDevices();
  const { positions } = useLivePositions();
  const now = useNow(30_000);
  const vehicles = useMemo(() => toVehicles(positions ?? [], now, show.compare), [positions, now, show.compare]);
  const tool = useDrawing();
  const problem = useMemo(() => (tool.drawing === null ? null : drawingProblem(tool.drawing)), [tool.drawing]);
  const [colour, setColour] = useState<string | null>(null);
  /** Another one for each time that the form begins anew with what is stored. */
  const [round, setRound] = useState(0);
  const view = useRef<MapView>(null);

  const fences = useMemo(
    () => (list.data?.data ?? []).toSorted((one, other) => show.compare(one.name, other.name)),
    [list.data, show.compare],
  );
  const others = useMemo(() => fences.filter(({ geofence_id }) => geofence_id !== wanted), [fences, wanted]);
  const listedTarget = fences.find(({ geofence_id }) => geofence_id === wanted) ?? opened;
  const target = useMemo(
    () => listedTarget && { id: listedTarget.geofence_id, shape: shapeOfRecord(listedTarget) },
    [listedTarget],
  );
  const latest = useRef(address);
  latest.current = address;
  const open = useCallback((id: string | null) => latest.current.set({ fence: id }), []);
  const changed = (id: string | null) => {
    forgetFences();
    reload();
    if (id === wanted) reloadDetails();
    else open(id);
  };
  const undoByKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "radio";
    if (isTyping || tool.drawing === null || !(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) tool.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) tool.redo();
    else return;
    event.preventDefault();
  };
  const editing = {
    tool,
    problem,
    view,
    devices,
    vehicles,
    onColour: setColour,
    onSaved: ({ geofence_id }: FenceDetails) => changed(geofence_id),
    onRemoved: () => changed(null),
    onReload: () => {
      setRound(round + 1);
      changed(wanted);
    },
    onClose: () => open(null),
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole view; each has a button as well
    <div className="map-view fence-view grid" onKeyDown={undoByKey}>
      <section className="map-side" aria-labelledby="fences-heading">
        <h1 id="fences-heading" ref={heading} tabIndex={-1}>
          {words.title}
        </h1>
        {wanted === null && (
          <>
            <Button look="primary" icon="plus" text={words.newFence} onClick={() => open(isNew)} />
            {list.state === "failed" && <ErrorNotice error={list.error} retry={reload} />}
            {list.data === null && list.state === "loading" && <LoadingState label={words.loading} />}
            {list.data !== null && <FenceList fences={fences} onOpen={open} />}
            <RemovedFences onRestored={changed} />
          </>
        )}
        {wanted === isNew && <FenceEditor key={isNew} fence={null} {...editing} />}
        {wanted !== null && wanted !== isNew && (
          <>
            {opened === null && details.state === "loading" && <LoadingState label={words.loading} />}
            {details.state === "failed" && <ErrorNotice error={details.error} retry={reloadDetails} />}
            {opened?.removed_at != null && <p className="quiet">{words.noLongerThere}</p>}
            {(opened === null || opened.removed_at !== null) && details.state !== "loading" && (
              <LinkButton onClick={() => open(null)} text={words.back} />
            )}
            {opened !== null && opened.removed_at === null && (
              <FenceEditor key={`${opened.geofence_id} ${opened.revision} ${round}`} fence={opened} {...editing} />
            )}
          </>
        )}
      </section>
      <section className="map-stage" aria-label={words.stage}>
        <Suspense fallback={<LoadingState />}>
          <FenceMap
            fences={others}
            vehicles={vehicles}
            tool={tool}
            colour={colour}
            problem={problem}
            target={target}
            onOpen={open}
            view={view}
          />
        </Suspense>
        <DrawingBar tool={tool} />
      </section>
    </div>
  );
}

/** What one needs beside the map while drawing, over its upper edge. */
function DrawingBar({ tool }: { readonly tool: DrawingTool }) {
  const { fences: words } = useAdministrationTexts();
  const { drawing } = tool;
  if (drawing === null) return null;
  const drawAgain = () => tool.change(({ shape, metres }) => emptyDrawing(shape, metres));
  return (
    <div className="drawing-bar row gap-2 box" role="toolbar" aria-label={words.tools}>
      <IconButton icon="undo" label={words.undo} title={words.undo} disabled={!tool.canUndo} onClick={tool.undo} />
      <IconButton icon="redo" label={words.redo} title={words.redo} disabled={!tool.canRedo} onClick={tool.redo} />
      {drawing.isDone && <Button look="small" text={words.drawAgain} onClick={drawAgain} />}
      {!drawing.isDone && drawing.shape !== "circle" && (
        <Button look="small primary" icon="check" text={words.end} disabled={!canFinish(drawing)} onClick={tool.end} />
      )}
    </div>
  );
}

/** The shape of a record, which the server has checked. */
function shapeOfRecord({ shape, geometry, radius_m, width_m }: ShapeFields): FenceShape {
  return { shape, geometry, radiusM: radius_m, widthM: width_m } as unknown as FenceShape;
}
