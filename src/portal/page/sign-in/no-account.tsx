import { EmptyState } from "../common/empty-state.tsx";
import { useTexts } from "../texts/use-texts.ts";

/** In place of the form, on a server that nobody has set up. */
export function NoAccount() {
  const { signIn: words } = useTexts();
  return (
    <EmptyState icon="key" title={words.noAccount} isWholePage>
      <p>{words.noAccountText}</p>
    </EmptyState>
  );
}
