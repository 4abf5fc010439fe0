import type { Severity } from "../../both-sides/contract/data.ts";

/** Each has its own sign, so that nothing depends on colour. It is always beside the word. */
const signs: Record<Severity, string> = {
  info: "M12 11v6m0-10v.2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  warning: "M12 9v5m0 3v.2M12 3 22 20H2z",
  critical: "M12 7v6m0 3.5v.2M8 2.5h8L21.5 8v8L16 21.5H8L2.5 16V8z",
};

export function SeveritySign({ severity }: { readonly severity: Severity }) {
  return (
    <svg className="icon severity-sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={signs[severity]} />
    </svg>
  );
}
