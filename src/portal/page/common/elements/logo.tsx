/** The mark: a dial whose needle points the way. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="logo-plate" width="32" height="32" rx="8" />
      <path className="logo-dial" d="M7.5 21.5a9.2 9.2 0 1 1 17 0" />
      <path className="logo-needle" d="m16 19.5 4.6-6.4" />
      <circle className="logo-hub" cx="16" cy="20" r="2.6" />
    </svg>
  );
}
