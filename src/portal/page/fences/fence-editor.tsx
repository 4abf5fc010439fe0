import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { contains, prepareFence } from "../../../domain/geometry/fence-area.ts";
import type { GeometryProblem } from "../../../domain/geometry/geojson.ts";
import { to } from "../../both-sides/address.ts";
import type { FenceDetails, ShapeFields } from "../../both-sides/contract/fences.ts";
import { frameHasPlace } from "../../both-sides/places/place-name.ts";
import type { DevicesById } from "../../both-sides/vehicles/devices.ts";
import { ConfirmDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { Field } from "../common/fields/field.tsx";
import { BackNotice } from "../common/kept-forms/back-notice.tsx";
import { useKeptForm } from "../common/kept-forms/use-kept-form.ts";
import { fieldProblems } from "../common/loading/error-words.ts";
import { ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { useLeaveGuard } from "../common/navigation/leave-guard.ts";
import { Link } from "../common/navigation/route.tsx";
import { ConflictNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote, ManagedByNote } from "../fleet/effect-note.tsx";
import { useEdit } from "../fleet/use-edit.ts";
import type { MapVehicle } from "../map/layers/vehicle.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type Drawing, defaultMetres, drawingOf, emptyDrawing, shapeOf } from "./drawing.ts";
import { changedFenceFields, countsSince, type FenceForm, fenceFormOf } from "./fence-fields.ts";
import { ColourField, FenceVersions, FromWhenInput } from "./fence-inputs.tsx";
import type { MapView } from "./fence-map.tsx";
import { problemWords, sizeWords } from "./fence-words.ts";
import { RemoveFence } from "./remove-fence.tsx";
import { ShapeForm } from "./shape-form.tsx";
import type { DrawingTool } from "./use-drawing.ts";
import { VehicleChoice } from "./vehicle-choice.tsx";

interface FenceEditorProps {
  /** Null: a new one. */
  readonly fence: FenceDetails | null;
  readonly tool: DrawingTool;
  readonly problem: GeometryProblem | null;
  readonly view: RefObject<MapView | null>;
  readonly devices: DevicesById | null;
  readonly vehicles: readonly MapVehicle[];
  readonly onColour: (colour: string | null) => void;
  readonly onSaved: (fence: FenceDetails) => void;
  readonly onRemoved: () => void;
  /** Another person has changed it: it is to be loaded again. */
  readonly onReload: () => void;
  readonly onClose: () => void;
}

/** More names than anybody compares. */
const maxNamed = 12;

/** Where the form is under the map, and not beside it. */
const narrow = matchMedia("(max-width: 47.5em)");

export function FenceEditor(props: FenceEditorProps) {
  const { tool, problem, view, devices, vehicles, onColour, onSaved, onRemoved, onReload, onClose } = props;
  const texts = useAdministrationTexts();
  const { fences: words, vehicles: vehicleWords, show } = texts;
  const kept = useKeptForm<KeptFence>(`fence ${props.fence?.geofence_id ?? "new"}`, () => ({
    fence: props.fence,
    form: fenceFormOf(props.fence),
    drawing: null,
  }));
  const { fence, form } = kept.form;
  const change = (fields: Partial<FenceForm>) =>
    kept.setForm((before) => ({ ...before, form: { ...before.form, ...fields } }));
  const heading = useRef<HTMLHeadingElement>(null);
  const { open } = tool;
  const [begun] = useState(() => kept.form.drawing ?? beginningOf(fence));
  useEffect(() => {
    open(begun);
    heading.current?.focus({ preventScroll: true });
    // The map and the beginning of the form, together on the screen.
    if (narrow.matches) document.querySelector(".fence-view .map-stage")?.scrollIntoView({ block: "start" });
    return () => open(null);
  }, [begun, open]);
  useEffect(() => onColour(form.color), [form.color, onColour]);

  const { drawing } = tool;
  const { setForm } = kept;
  useEffect(() => {
    if (drawing !== null && drawing !== begun) setForm((before) => ({ ...before, drawing }));
  }, [drawing, begun, setForm]);
  const shape = useMemo(() => (drawing === null ? null : shapeOf(drawing)), [drawing]);
  const fields = useMemo(() => changedFenceFields(form, drawing, fence), [form, drawing, fence]);
  const isDirty =
    fence === null ? form.name !== "" || (drawing?.rings[0]?.length ?? 0) > 0 : fields !== null && drawing !== null;
  const isMomentMissing = form.from.kind === "moment" && form.from.at === null;
  const canSave = fields !== null && shape !== null && form.name.trim() !== "" && !isMomentMissing;
  const edit = useEdit<"POST /fleet/geofences" | "PUT /fleet/geofences/{geofence_id}">(
    !canSave
      ? null
      : fence === null
        ? { target: "POST /fleet/geofences", body: { fields } }
        : {
            target: to("PUT /fleet/geofences/{geofence_id}", { geofence_id: fence.geofence_id }),
            body: { revision: fence.revision, fields },
          },
  );

  const [leaving, setLeaving] = useState<{ readonly go: () => void } | null>(null);
  const [saved, setSaved] = useState<FenceDetails | null>(null);
  useLeaveGuard(isDirty && saved === null && leaving === null, (go) => setLeaving({ go }));
  const [isRemoving, setRemoving] = useState(false);
  // After the guard is off: what follows may leave this view.
  const done = useRef(onSaved);
  done.current = onSaved;
  useEffect(() => {
    if (saved !== null) done.current(saved);
  }, [saved]);

  const save = async (revision?: number, chosen?: Readonly<Record<string, unknown>>) => {
    const stored = await edit.save(revision, chosen && { fields: chosen });
    if (stored === null) return;
    announce(words.saved(stored.name));
    kept.drop();
    setSaved(stored);
  };
  const problems = fieldProblems(edit.error, texts);
  const inside = useMemo(() => insideNow(shape, vehicles, form.deviceIds), [shape, vehicles, form.deviceIds]);
  const since = fence === null ? null : countsSince(fence);
  const already =
    fence === null || fields !== null || form.from.kind === "now" || isMomentMissing
      ? null
      : since === null
        ? words.countsAlways
        : words.countsSince(show.time(since, "minute"));
  const wrong = drawing === null || problem === null ? null : problemWords(drawing, problem, show, words);
  const why = () => {
    if (drawing !== null && !drawing.isDone) return words.unfinished;
    if (fields === null) return fence === null ? null : (already ?? words.unchanged);
    if (form.name.trim() === "") return words.nameMissing;
    return isMomentMissing ? words.momentMissing : null;
  };
  const { shape: geometry } = words;
  const fieldNames: Readonly<Record<string, string>> = {
    ...{ name: texts.common.name, description: words.description, color: words.colour },
    ...{ geometry, radius_m: geometry, width_m: geometry, device_ids: vehicleWords.title },
  };
  const namesOf = (ids: readonly string[]) => {
    const names = ids.slice(0, maxNamed).map((id) => devices?.get(id)?.name ?? id);
    return names.join(", ") + (ids.length > maxNamed ? ` … (${show.number(ids.length)})` : "");
  };
  const textField = (name: "name" | "description", maxLength: number) => (
    <Field
      label={fieldNames[name] ?? ""}
      value={form[name]}
      maxLength={maxLength}
      required={name === "name"}
      autoComplete="off"
      problem={problems[name]}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  );
  return (
    <form
      className="fence-editor column gap-3 pack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) void save();
      }}
    >
      <button type="button" className="link-button fence-back middle gap-1" onClick={onClose}>
        <Icon name="left" />
        {words.back}
      </button>
      <h2 ref={heading} tabIndex={-1}>
        {fence?.name ?? words.newFence}
      </h2>
      {kept.isBack && <BackNotice />}
      {fence && <ManagedByNote record={fence} />}
      {fence?.rules.length === 0 && <NotWatched fence={fence} />}
      <ShapeForm tool={tool} view={view} />
      {textField("name", 200)}
      {textField("description", 2000)}
      <ColourField colour={form.color} onChange={(color) => change({ color })} />
      <VehicleChoice devices={devices} chosen={form.deviceIds} onChange={(deviceIds) => change({ deviceIds })} />
      <FromWhenInput from={form.from} already={already} onChange={(from) => change({ from })} />
      <div className="fence-save column gap-3 pack">
        {shape !== null && (
          <p className="hint" aria-live="polite">
            {words.vehicles(form.deviceIds.size, show.number(form.deviceIds.size))};{" "}
            {words.insideNow(inside, show.number(inside))}
          </p>
        )}
        <EffectNote effect={edit.effect} />
        {fence && fields?.name !== undefined && (edit.effect?.derived_again.vehicles ?? 0) > 0 && (
          <p className="hint">{words.renamed}</p>
        )}
        {edit.error !== null && <ErrorNotice error={edit.error} />}
        {edit.conflict && fence && (
          <ConflictNotice
            conflict={edit.conflict}
            opened={lineOf(fence)}
            fieldName={(field) => fieldNames[field]}
            fieldValue={(field, value, record) => {
              if (fieldNames[field] === geometry) return sizeWords(record as unknown as ShapeFields, show, words);
              return field === "device_ids" ? namesOf((value ?? []) as readonly string[]) : undefined;
            }}
            mine={fields ?? {}}
            onSave={(revision, chosen) => {
              // The moment belongs to shape and vehicles.
              const { valid_from: _, ...others } = chosen;
              const hasVersions = "geometry" in chosen || "device_ids" in chosen;
              void save(revision, hasVersions ? chosen : others);
            }}
            onTakeTheirs={() => {
              kept.drop();
              onReload();
            }}
          />
        )}
        <div className="button-row">
          <Button
            type="submit"
            look="primary"
            text={fence === null ? words.add : texts.common.save}
            disabled={!canSave || edit.isSaving || edit.conflict !== null}
          />
          <span className={wrong === null ? "hint" : "problem"} role="status">
            {wrong ?? why()}
          </span>
        </div>
      </div>
      {fence && <FenceVersions fence={fence} />}
      {fence && <Button look="danger own-width" text={words.remove} onClick={() => setRemoving(true)} />}
      {fence && isRemoving && (
        <RemoveFence fence={fence} onClose={() => setRemoving(false)} onRemoved={onRemoved} onReload={onReload} />
      )}
      {leaving && (
        <ConfirmDialog
          title={words.leaveTitle}
          words={[words.leave, words.leave, words.stay]}
          work={async () => leaving.go()}
          onClose={() => setLeaving(null)}
        >
          <p>{words.leaveText}</p>
        </ConfirmDialog>
      )}
    </form>
  );
}

function insideNow(
  shape: ReturnType<typeof shapeOf>,
  vehicles: readonly MapVehicle[],
  chosen: ReadonlySet<string>,
): number {
  if (shape === null) return 0;
  const area = prepareFence(shape);
  return vehicles.filter(({ id, position }) => chosen.has(id) && frameHasPlace(position) && contains(area, position))
    .length;
}

/** What a person fills in and draws, and the fence as it was then. */
interface KeptFence {
  readonly fence: FenceDetails | null;
  readonly form: FenceForm;
  /** Null: as it began. */
  readonly drawing: Drawing | null;
}

function beginningOf(fence: FenceDetails | null): Drawing {
  return fence === null ? emptyDrawing("circle", defaultMetres.circle) : drawingOf(fence);
}

/** As a line of the fleet file has it: what is not set is left out. */
function lineOf(fence: FenceDetails): Readonly<Record<string, unknown>> {
  const { name, description, color, shape, geometry, radius_m, width_m, device_ids } = fence;
  const line = { name, description, color, shape, geometry, radius_m, width_m };
  const set = Object.entries(line).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(set), ...(device_ids.length > 0 ? { device_ids } : {}) };
}

const types = ["geofence_exit", "geofence_enter"] as const;

/** Leads to the rule that would watch the fence, filled in: one click here and one to save it. */
function NotWatched({ fence }: { readonly fence: FenceDetails }) {
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
