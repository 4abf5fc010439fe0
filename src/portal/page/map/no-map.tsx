import { Notice } from "../common/notice.tsx";
import { useTexts } from "../texts/use-texts.ts";

/** Instead of a map, where the browser cannot draw one. */
export function NoMap({ children }: { readonly children: string }) {
  const { map: words } = useTexts();
  return (
    <div className="no-map">
      <Notice kind="info">
        <p>{words.cannotDraw}</p>
        <p>{children}</p>
      </Notice>
    </div>
  );
}
