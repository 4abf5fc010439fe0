import { Field } from "../common/field.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface NameAndEmailProps {
  readonly name: string;
  readonly email: string;
  readonly onChange: (typed: Readonly<Partial<Record<"name" | "email", string>>>) => void;
  readonly problems: Readonly<Record<string, string>>;
  /** Why the e-mail cannot be changed. */
  readonly whyFixed?: string | undefined;
}

export function NameAndEmail({ name, email, onChange, problems, whyFixed }: NameAndEmailProps) {
  const { people: words } = useAdministrationTexts();
  return (
    <>
      <Field
        label={words.name}
        autoComplete="off"
        data-first-focus
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => onChange({ name: target.value })}
        problem={problems.name}
      />
      <Field
        label={words.email}
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        hint={whyFixed ?? words.emailHint}
        readOnly={whyFixed !== undefined}
        value={email}
        onChange={({ target }) => onChange({ email: target.value })}
        problem={problems.email}
      />
    </>
  );
}
