import { type RefObject, useState } from "react";
import { fenceShapes } from "../../../domain/geometry/fence-shape.ts";
import type { Position } from "../../../domain/geometry/geojson.ts";
import { Button, IconButton } from "../common/elements/button.tsx";
import { Segmented } from "../common/fields/choices.tsx";
import { Field } from "../common/fields/field.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { type Drawing, defaultMetres, emptyDrawing, midpoints, pointAt } from "./drawing.ts";
import { insertPoint, movePoint } from "./drawing-edits.ts";
import type { MapView } from "./fence-map.tsx";
import { metresUnit } from "./measure.ts";
import type { DrawingTool } from "./use-drawing.ts";

interface ShapeFormProps {
  readonly tool: DrawingTool;
  readonly view: RefObject<MapView | null>;
}

/** The shape by words and numbers: all that the map can do is done here without it. */
export function ShapeForm({ tool, view }: ShapeFormProps) {
  const { fences: words } = useAdministrationTexts();
  const { drawing } = tool;
  if (drawing === null) return null;
  const { shape, isDone } = drawing;
  return (
    <section className="column gap-3 pack" aria-label={words.shape}>
      <Segmented
        name="fence-shape"
        label={words.shape}
        isLabelShown
        options={fenceShapes}
        words={words.shapes}
        value={shape}
        onChange={(name) => tool.change(() => emptyDrawing(name, defaultMetres[name]))}
      />
      <p className="hint">{isDone ? words.reshape[shape] : words.place[shape]}</p>
      {shape !== "polygon" && (
        <Size tool={tool} metres={drawing.metres} label={shape === "circle" ? "radius" : "width"} />
      )}
      <details className="fence-numbers">
        <summary>{words.numbers}</summary>
        <p className="hint">{words.keys}</p>
        <Points tool={tool} drawing={drawing} view={view} />
      </details>
    </section>
  );
}

interface SizeProps {
  readonly tool: DrawingTool;
  readonly metres: number;
  readonly label: "radius" | "width";
}

function Size({ tool, metres, label }: SizeProps) {
  const { fences: words, show } = useAdministrationTexts();
  const unit = metresUnit(show);
  const sized = (value: number) => (now: Drawing) => {
    const metres = Math.round(value * unit.metres * 100) / 100;
    return metres === now.metres ? now : { ...now, metres };
  };
  return (
    <NumberField
      label={words[label](unit.name)}
      value={metres / unit.metres}
      decimals={1}
      // What is no number is no size: nobody should save the old one while the field is empty.
      onType={(value) => tool.try(sized(value ?? 0))}
      onCommit={(value) => (value === null ? tool.try(null) : tool.change(sized(value)))}
    />
  );
}

interface PointsProps extends ShapeFormProps {
  readonly drawing: Drawing;
}

/** One point at a time: a list of a thousand would help nobody. */
function Points({ tool, drawing, view }: PointsProps) {
  const { fences: words, show } = useAdministrationTexts();
  const all = drawing.rings.flatMap((ring, number) => ring.map((_, index) => ({ ring: number, index })));
  const chosen = tool.vertex ?? all[0] ?? null;
  const position = chosen && pointAt(drawing, chosen);
  const place = all.findIndex(({ ring, index }) => ring === chosen?.ring && index === chosen.index);
  const moved = (to: Position) => (now: Drawing) => (chosen === null ? now : movePoint(now, chosen, to));
  const field = (label: string, value: number, to: (degrees: number) => Position) => (
    <NumberField
      label={label}
      value={value}
      decimals={7}
      onType={(degrees) => tool.try(degrees === null ? null : moved(to(degrees)))}
      onCommit={(degrees) => (degrees === null ? tool.try(null) : tool.change(moved(to(degrees))))}
    />
  );
  const middle = midpoints(drawing).find(({ after }) => after.ring === chosen?.ring && after.index === chosen.index);
  const addMiddle = () => {
    if (!chosen || !middle) return;
    tool.change((now) => insertPoint(now, chosen, middle.position));
    tool.select({ ...chosen, index: chosen.index + 1 });
  };
  return (
    <div className="column gap-3 pack">
      {position === null || chosen === null ? (
        <p className="quiet">{words.noPoint}</p>
      ) : (
        <>
          <div className="row apart gap-2">
            <IconButton
              icon="left"
              label={words.previousPoint}
              disabled={place <= 0}
              onClick={() => tool.select(all[place - 1] ?? null)}
            />
            <span aria-live="polite">
              {drawing.shape === "circle"
                ? words.centre
                : words.pointOf(show.number(place + 1), show.number(all.length))}
              {chosen.ring > 0 && ` · ${words.ring(show.number(chosen.ring))}`}
            </span>
            <IconButton
              icon="right"
              label={words.nextPoint}
              disabled={place >= all.length - 1}
              onClick={() => tool.select(all[place + 1] ?? null)}
            />
          </div>
          <div className="fence-coordinates grid gap-3">
            {field(words.latitude, position[1], (latitude) => [position[0], latitude])}
            {field(words.longitude, position[0], (longitude) => [longitude, position[1]])}
          </div>
        </>
      )}
      <div className="button-row">
        {!drawing.isDone && (
          <Button look="small" text={words.addPoint} onClick={() => tool.add(view.current?.centre() ?? [0, 0])} />
        )}
        {middle && <Button look="small" text={words.addAfter} onClick={addMiddle} />}
        {chosen && drawing.shape !== "circle" && (
          <Button look="small" text={words.removePoint} onClick={() => tool.remove(chosen)} />
        )}
      </div>
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly decimals: number;
  /** While a person types; null: it is no number. */
  readonly onType: (value: number | null) => void;
  /** At the end of typing: with Enter, or when the focus leaves. Null: it was no number, so all stays as it was. */
  readonly onCommit: (value: number | null) => void;
}

/** A number that counts while it is typed, and is one step that can be undone when it is complete. */
function NumberField({ label, value, decimals, onType, onCommit }: NumberFieldProps) {
  const shown = String(Number(value.toFixed(decimals)));
  const [text, setText] = useState<string | null>(null);
  const commit = () => {
    if (text === null) return;
    setText(null);
    onCommit(numberIn(text));
  };
  return (
    <Field
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={text ?? shown}
      onChange={({ target }) => {
        setText(target.value);
        onType(numberIn(target.value));
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        commit();
      }}
    />
  );
}

function numberIn(text: string): number | null {
  const typed = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(typed) ? null : typed;
}
