import { useHeading } from "../common/use-heading.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

export default function FencesPage() {
  const { fences: words } = useAdministrationTexts();
  const heading = useHeading(words.title);
  return (
    <header className="page-head">
      <h1 ref={heading} tabIndex={-1}>
        {words.title}
      </h1>
    </header>
  );
}
