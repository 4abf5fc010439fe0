import { useMemo, useState } from "react";
import type { Position } from "../../../domain/geometry/geojson.ts";
import { type Handle, moved } from "./draft-features.ts";
import { type Drawing, pointAt, type Vertex } from "./drawing.ts";
import { addPoint, finish, removePoint } from "./drawing-edits.ts";
import { begin, type EditHistory, redo, step, undo } from "./history.ts";

interface State {
  readonly history: EditHistory<Drawing> | null;
  /** While a handle is dragged or a number is typed. */
  readonly moving: Drawing | null;
  readonly vertex: Vertex | null;
}

const nothing: State = { history: null, moving: null, vertex: null };

type Change = (drawing: Drawing) => Drawing;

/** The fence that is being drawn, with all that can be done to it. */
export type DrawingTool = ReturnType<typeof useDrawing>;

export function useDrawing() {
  const [{ history, moving, vertex }, setState] = useState<State>(nothing);
  const acts = useMemo(() => {
    const alter = (
      next: (past: EditHistory<Drawing>) => EditHistory<Drawing>,
      vertex?: (now: Drawing) => Vertex | null,
    ) =>
      setState((state) => {
        if (state.history === null) return state;
        const after = next(state.history);
        const wanted = vertex === undefined ? state.vertex : vertex(after.now);
        const isThere = wanted !== null && pointAt(after.now, wanted) !== null;
        return { history: after, moving: null, vertex: isThere ? wanted : null };
      });
    /** One step, which can be undone. */
    const change = (next: Change, vertex?: (now: Drawing) => Vertex | null) =>
      alter((past) => step(past, next(past.now)), vertex);
    /** How it would be: while a number is typed. `change` ends it, and so does null, which leaves all as it was. */
    const attempt = (next: Change | null) =>
      setState((state) => (state.history === null ? state : { ...state, moving: next?.(state.history.now) ?? null }));
    return {
      open: (drawing: Drawing | null) =>
        setState(drawing === null ? nothing : { history: begin(drawing), moving: null, vertex: null }),
      change: (next: Change) => change(next),
      try: attempt,
      add: (position: Position) => change((now) => addPoint(now, position), lastPoint),
      end: () => change(finish),
      select: (wanted: Vertex | null) => setState((state) => ({ ...state, vertex: wanted })),
      drag: (handle: Handle, to: Position, isEnd: boolean) => {
        const next = (now: Drawing) => moved(now, handle, to);
        if (isEnd) change(next, () => vertexAfter(handle));
        else attempt(next);
      },
      remove: (at: Vertex) =>
        change(
          (now) => removePoint(now, at),
          () => ({ ...at, index: Math.max(0, at.index - 1) }),
        ),
      undo: () => alter(undo),
      redo: () => alter(redo),
    };
  }, []);
  return {
    /** As it is shown, also while a handle is dragged or a number is typed. Null: nothing is drawn. */
    drawing: moving ?? history?.now ?? null,
    /** The point that the fields speak of. */
    vertex,
    canUndo: (history?.past.length ?? 0) > 0,
    canRedo: (history?.future.length ?? 0) > 0,
    ...acts,
  };
}

function lastPoint({ rings }: Drawing): Vertex {
  return { ring: 0, index: (rings[0]?.length ?? 1) - 1 };
}

function vertexAfter(handle: Handle): Vertex | null {
  switch (handle.kind) {
    case "point":
      return handle.at;
    case "middle":
      return { ...handle.at, index: handle.at.index + 1 };
    case "radius":
      return null;
  }
}
