import { Icon } from "../common/icon.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { canFinish, emptyDrawing } from "./drawing.ts";
import type { DrawingTool } from "./use-drawing.ts";

/** What one needs beside the map while drawing, over its upper edge. */
export function DrawingBar({ tool }: { readonly tool: DrawingTool }) {
  const { fences: words } = useAdministrationTexts();
  const { drawing } = tool;
  if (drawing === null) return null;
  return (
    <div className="drawing-bar" role="toolbar" aria-label={words.tools}>
      <button
        type="button"
        className="icon-button"
        aria-label={words.undo}
        title={words.undo}
        disabled={!tool.canUndo}
        onClick={tool.undo}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={words.redo}
        title={words.redo}
        disabled={!tool.canRedo}
        onClick={tool.redo}
      >
        <Icon name="redo" />
      </button>
      {drawing.isDone ? (
        <button
          type="button"
          className="button button-small"
          onClick={() => tool.change((now) => emptyDrawing(now.shape, now.metres))}
        >
          {words.drawAgain}
        </button>
      ) : (
        drawing.shape !== "circle" && (
          <button
            type="button"
            className="button button-small button-primary"
            disabled={!canFinish(drawing)}
            onClick={tool.end}
          >
            <Icon name="check" />
            {words.end}
          </button>
        )
      )}
    </div>
  );
}
