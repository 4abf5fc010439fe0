import { PageHead } from "../common/navigation/page-head.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { ConnectSteps } from "./connect-steps.tsx";

export default function ConnectPage() {
  const { connect: words } = useAdministrationTexts();
  return (
    <>
      <PageHead title={words.title} text={words.what} />
      <ConnectSteps isBegun={false} />
    </>
  );
}
