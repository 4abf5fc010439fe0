import { type ReactNode, useEffect, useMemo, useState } from "react";
import { noPreferences, type Preferences } from "../../../../domain/preferences.ts";
import { Show, unitsOf } from "../../../both-sides/reading/show.ts";
import { isLanguage, type Language, languageOf, type Texts } from "../../../both-sides/texts/texts.ts";
import { loadTexts } from "../../texts/load-texts.ts";
import { ReadingContext } from "../../texts/use-texts.ts";
import { browserZone, useClock } from "./clock.ts";

const retryMs = 3000;

/** The sign-in page speaks the language that was used last in this browser. */
const storedAs = "odograph-language";

function lastLanguage(): Language | null {
  const last = localStorage.getItem(storedAs) ?? "";
  return isLanguage(last) ? last : null;
}

interface ReadingProviderProps {
  /** Null: nobody is signed in. */
  readonly preferences: { readonly own: Preferences; readonly account: Preferences } | null;
  /** The account's time zone; null: that of the browser. */
  readonly timeZone: string | null;
  /** Whether the person has no account here: what others chose in this browser is not theirs. */
  readonly isVisitor?: boolean;
  readonly children: ReactNode;
}

/** As the page begins (index.html): a name needs no language. */
function BeforeTexts() {
  return (
    <div className="loading row gap-3 quiet">
      <span className="spinner round" />
      Odograph
    </div>
  );
}

/** Shows no more than the name until the texts of the language are there; another language replaces the texts when it has come. */
export function ReadingProvider({ preferences, timeZone, isVisitor = false, children }: ReadingProviderProps) {
  const isUtc = useClock() === "utc";
  const [loaded, setLoaded] = useState<{ readonly language: Language; readonly texts: Texts } | null>(null);
  const { own, account } = preferences ?? { own: noPreferences, account: noPreferences };
  const chosen = own.language ?? account.language;
  const last = preferences === null && !isVisitor ? lastLanguage() : null;
  const language = chosen ?? last ?? languageOf(navigator.languages);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Without texts nothing can be said, not even that they are missing: so it tries until they come.
    const load = () =>
      loadTexts[language]().then(
        (texts) => {
          if (!isCurrent) return;
          setLoaded({ language, texts });
          document.documentElement.lang = language;
        },
        () => {
          if (isCurrent) timer = setTimeout(load, retryMs);
        },
      );
    void load();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [language]);
  const isSignedIn = preferences !== null;
  useEffect(() => {
    if (isSignedIn) localStorage.setItem(storedAs, language);
  }, [language, isSignedIn]);
  const zone = isUtc ? "UTC" : (timeZone ?? browserZone);
  const reading = useMemo(
    () =>
      loaded && {
        ...loaded.texts,
        show: new Show(loaded.language, loaded.texts, unitsOf(own, account), zone),
      },
    [loaded, own, account, zone],
  );
  if (reading === null) return <BeforeTexts />;
  return <ReadingContext value={reading}>{children}</ReadingContext>;
}
