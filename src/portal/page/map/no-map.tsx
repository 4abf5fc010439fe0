import { Notice } from "../common/notice.tsx";

/** Instead of a map, where the browser cannot draw one. */
export function NoMap({ children }: { readonly children: string }) {
  return (
    <div className="no-map">
      <Notice kind="info">
        <p>This browser cannot draw the map, because its graphics (WebGL 2) are switched off or missing.</p>
        <p>{children}</p>
      </Notice>
    </div>
  );
}
