import type { ReactNode } from "react";
import { Notice } from "../common/loading/notice.tsx";
import { useTexts } from "../texts/use-texts.ts";
import type { BaseMap } from "./layers/use-base-map.ts";

interface MapFrameProps {
  readonly base: BaseMap;
  /** What to do where the browser cannot draw a map. */
  readonly instead: string;
  readonly children?: ReactNode;
}

/** The element that a map is drawn in, and one line over it if it is not the map that it should be. */
export function MapFrame({ base, instead, children }: MapFrameProps) {
  const { map: words } = useTexts();
  const { container, ready, isDrawn, isUnsupported, problem } = base;
  if (isUnsupported) {
    return (
      <div className="no-map grid">
        <Notice kind="info">
          <p>{words.cannotDraw}</p>
          <p>{instead}</p>
        </Notice>
      </div>
    );
  }
  return (
    <>
      <div ref={container} className="map" data-map={ready ? "ready" : "loading"} data-theme={ready?.theme.name} />
      {children}
      {!isDrawn && problem === null && (
        <p className="map-note row gap-2 hint" role="status">
          <span className="spinner round" aria-hidden="true" />
          {words.loading}…
        </p>
      )}
      {problem !== null && (
        <p className="map-note hint" role="status">
          {problem === "style" ? words.styleUnusable : words.streetsUnusable}
        </p>
      )}
    </>
  );
}
