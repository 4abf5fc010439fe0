import { useTexts } from "../../texts/use-texts.ts";
import { Notice } from "../loading/notice.tsx";

/** Says why a form is not as it is stored. */
export function BackNotice() {
  const { common } = useTexts();
  return (
    <Notice kind="info">
      <p role="status">{common.typedIsBack}</p>
    </Notice>
  );
}
