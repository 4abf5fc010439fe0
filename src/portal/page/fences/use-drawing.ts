import { useCallback, useMemo, useState } from "react";
import type { Position } from "../../../domain/geometry/geojson.ts";
import { type Drawing, pointAt, type Vertex } from "./drawing.ts";
import { addPoint, finish, removePoint } from "./drawing-edits.ts";
import { type Handle, moved } from "./handles.ts";
import { begin, type History, redo, step, undo } from "./history.ts";

/** The fence that is being drawn, with all that can be done to it. */
export interface DrawingTool {
  /** As it is shown, also while a handle is dragged or a number is typed. Null: nothing is drawn. */
  readonly drawing: Drawing | null;
  /** The point that the fields speak of. */
  readonly vertex: Vertex | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly open: (drawing: Drawing | null) => void;
  /** One step, which can be undone. */
  readonly change: (next: (drawing: Drawing) => Drawing) => void;
  /** How it would be: while a number is typed. `change` ends it, and so does null, which leaves all as it was. */
  readonly try: (next: ((drawing: Drawing) => Drawing) | null) => void;
  readonly add: (position: Position) => void;
  readonly end: () => void;
  readonly select: (vertex: Vertex | null) => void;
  readonly drag: (handle: Handle, to: Position, isEnd: boolean) => void;
  readonly remove: (vertex: Vertex) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

interface State {
  readonly history: History<Drawing> | null;
  /** While a handle is dragged or a number is typed. */
  readonly moving: Drawing | null;
  readonly vertex: Vertex | null;
}

const nothing: State = { history: null, moving: null, vertex: null };

export function useDrawing(): DrawingTool {
  const [{ history, moving, vertex }, setState] = useState<State>(nothing);
  const alter = useCallback(
    (next: (history: History<Drawing>) => History<Drawing>, vertex?: (drawing: Drawing) => Vertex | null) =>
      setState((state) => {
        if (state.history === null) return state;
        const after = next(state.history);
        const wanted = vertex === undefined ? state.vertex : vertex(after.now);
        const isThere = wanted !== null && pointAt(after.now, wanted) !== null;
        return { history: after, moving: null, vertex: isThere ? wanted : null };
      }),
    [],
  );
  const acts = useMemo(() => {
    const attempt: DrawingTool["try"] = (next) =>
      setState((state) =>
        state.history === null ? state : { ...state, moving: next === null ? null : next(state.history.now) },
      );
    const change: DrawingTool["change"] = (next) => alter((past) => step(past, next(past.now)));
    return {
      open: (drawing: Drawing | null) =>
        setState(drawing === null ? nothing : { history: begin(drawing), moving: null, vertex: null }),
      change,
      try: attempt,
      add: (position: Position) => alter((past) => step(past, addPoint(past.now, position)), lastPoint),
      end: () => change(finish),
      select: (wanted: Vertex | null) => setState((state) => ({ ...state, vertex: wanted })),
      drag: (handle: Handle, to: Position, isEnd: boolean) => {
        const next = (now: Drawing) => moved(now, handle, to);
        if (!isEnd) attempt(next);
        else
          alter(
            (past) => step(past, next(past.now)),
            () => vertexAfter(handle),
          );
      },
      remove: (at: Vertex) =>
        alter(
          (past) => step(past, removePoint(past.now, at)),
          () => ({ ...at, index: Math.max(0, at.index - 1) }),
        ),
      undo: () => alter(undo),
      redo: () => alter(redo),
    };
  }, [alter]);
  return {
    drawing: moving ?? history?.now ?? null,
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
