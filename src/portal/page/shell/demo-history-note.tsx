import { useEffect, useState } from "react";
import { getJson } from "../api/request.ts";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

const askAgainMs = 2_000;

/** Only in a demo whose history is still being made: how much of it is there. It goes by itself. */
export function DemoHistoryNote() {
  const { demo_history: atFirst } = useSession();
  const { demoHistory: words } = useTexts();
  const [history, setHistory] = useState(atFirst);
  useEffect(() => {
    if (history === null) return;
    const ask = () =>
      getJson("GET /session").then(
        (session) => setHistory(session.demo_history),
        // Each view says by itself that the server does not answer.
        () => setHistory((known) => known && { ...known }),
      );
    const timer = setTimeout(ask, askAgainMs);
    return () => clearTimeout(timer);
  }, [history]);
  if (history === null) return null;
  return (
    <p className="demo-history quiet" role="status">
      {words.inMaking(history.days_made, history.days)}
    </p>
  );
}
