import { useHeading } from "../common/use-heading.ts";
import { useTexts } from "../texts/use-texts.ts";

/** `kind`: the name of the report in the address; null: the first. */
export default function ReportsPage({ kind }: { readonly kind: string | null }) {
  const { reports: words } = useTexts();
  const heading = useHeading(words.title);
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        {words.title} {kind}
      </h1>
    </div>
  );
}
