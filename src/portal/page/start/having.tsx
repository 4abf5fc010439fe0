import { useEffect, useRef } from "react";
import { Icon, type IconName } from "../common/elements/icon.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** What a newcomer may have. */
const icons = {
  tracker: "target",
  phone: "phone",
  gateway: "share",
  file: "report",
  look: "map",
} as const satisfies Readonly<Record<string, IconName>>;

export type Having = keyof typeof icons;

const havings = Object.keys(icons) as Having[];

/** Of a text that may be anything. */
export function havingIn(text: string | null): Having | null {
  return havings.find((having) => having === text) ?? null;
}

/** The question that decides which way leads to the first vehicle. */
export function HavingChoice({ onChoose }: { readonly onChoose: (having: Having) => void }) {
  const { start: words } = useAdministrationTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  // Who comes back to the question has lost the button that led here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="column gap-4" aria-labelledby="having">
      <h2 id="having" ref={heading} tabIndex={-1}>
        {words.question}
      </h2>
      <ul className="having-list grid gap-3">
        {havings.map((having) => (
          <li key={having} className="grid">
            <button type="button" className="having box pack grid full" onClick={() => onChoose(having)}>
              <Icon name={icons[having]} />
              <strong>{words.have[having].title}</strong>
              <span className="hint">{words.have[having].what}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
