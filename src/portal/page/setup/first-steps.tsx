import { getPage } from "../api/pages.ts";
import { Notice } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { useTexts } from "../texts/use-texts.ts";

/** Leads an owner back to the first steps, who has vehicles but has never seen one on the map. */
export function FirstStepsNotice() {
  const { map: words } = useTexts();
  return (
    <Notice kind="info">
      <p>
        {words.noneHasPosition} {words.seeSteps}
      </p>
      <Link to="/start" className="button button-small">
        {words.goOn}
      </Link>
    </Notice>
  );
}

const loadIsEmpty = async (signal: AbortSignal) =>
  (await getPage("positions/latest", { limit: "1" }, signal)).data.length === 0;

/** Loads whether any vehicle has a position, and leads to the first steps if none has. */
export function FirstSteps() {
  const { loaded } = useLoad(loadIsEmpty);
  return loaded.data === true ? <FirstStepsNotice /> : null;
}
