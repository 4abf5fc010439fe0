import { useHeading } from "../common/use-heading.ts";
import { useTexts } from "../texts/use-texts.ts";

export default function YesterdayPage() {
  const { yesterday: words } = useTexts();
  const heading = useHeading(words.title);
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        {words.title}
      </h1>
    </div>
  );
}
