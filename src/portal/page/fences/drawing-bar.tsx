import { Icon } from "../common/icon.tsx";
import { IconButton } from "../common/icon-button.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { canFinish, emptyDrawing } from "./drawing.ts";
import type { DrawingTool } from "./use-drawing.ts";

/** What one needs beside the map while drawing, over its upper edge. */
export function DrawingBar({ tool }: { readonly tool: DrawingTool }) {
  const { fences: words } = useAdministrationTexts();
  const { drawing } = tool;
  if (drawing === null) return null;
  const drawAgain = () => tool.change(({ shape, metres }) => emptyDrawing(shape, metres));
  return (
    <div className="drawing-bar" role="toolbar" aria-label={words.tools}>
      <IconButton icon="undo" label={words.undo} title={words.undo} disabled={!tool.canUndo} onClick={tool.undo} />
      <IconButton icon="redo" label={words.redo} title={words.redo} disabled={!tool.canRedo} onClick={tool.redo} />
      {drawing.isDone && (
        <button type="button" className="button button-small" onClick={drawAgain}>
          {words.drawAgain}
        </button>
      )}
      {!drawing.isDone && drawing.shape !== "circle" && (
        <button
          type="button"
          className="button button-small button-primary"
          disabled={!canFinish(drawing)}
          onClick={tool.end}
        >
          <Icon name="check" />
          {words.end}
        </button>
      )}
    </div>
  );
}
