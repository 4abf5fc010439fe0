import type { Period } from "../../both-sides/periods/period.ts";
import { Dialog } from "../common/dialogs/dialog.tsx";
import { LoadState, Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { navigate } from "../common/navigation/route.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import type { ReportToSend } from "./plan-draft.ts";

interface SendRegularlyProps {
  readonly what: ReportToSend;
  /** The days that are shown. */
  readonly period: Period;
  readonly onClose: () => void;
}

/** Plans the report that is on the screen. Loaded when a person first wants that. */
export default function SendRegularly(props: SendRegularlyProps) {
  return (
    <WithAdministrationTexts>
      <Planning {...props} />
    </WithAdministrationTexts>
  );
}

function Planning({ what, period, onClose }: SendRegularlyProps) {
  const { plannedReports: words } = useAdministrationTexts();
  const loading = useAnswer("GET /planned-reports");
  const page = loading.loaded.data;
  if (page?.sends_mail) {
    const onSaved = () => navigate("/reports/planned");
    return (
      <PlanDialog what={what} plan={null} period={period} people={page.people} onClose={onClose} onSaved={onSaved} />
    );
  }
  return (
    <Dialog title={words.newTitle} onClose={onClose}>
      <LoadState {...loading} />
      {page && <Notice kind="info">{words.noMail}</Notice>}
    </Dialog>
  );
}
