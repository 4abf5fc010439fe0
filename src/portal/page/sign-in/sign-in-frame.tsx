import type { ReactNode } from "react";
import { Logo } from "../common/elements/icon.tsx";

export function SignInFrame({ children }: { readonly children: ReactNode }) {
  return (
    <main className="sign-in grid">
      <section className="sign-in-card grid gap-4">
        <p className="brand middle gap-2">
          <Logo />
          <span>Odograph</span>
        </p>
        {children}
      </section>
      <Skyline />
    </main>
  );
}

/** A quiet picture beside the sign-in: routes over a grid. Decoration only. */
function Skyline() {
  return (
    <svg className="skyline full" viewBox="0 0 800 800" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <pattern id="grid" width="50" height="50" patternUnits="userSpaceOnUse">
          <path d="M50 0H0v50" className="skyline-grid" />
        </pattern>
      </defs>
      <rect width="800" height="800" fill="url(#grid)" />
      <path
        className="skyline-route skyline-faint"
        d="M-20 640C140 600 150 420 290 410s170 130 320 80 140-220 230-260"
      />
      <path className="skyline-route skyline-faint" d="M120 820c20-160 140-190 150-330S380 270 420 190 520 40 640-20" />
      <path className="skyline-route" d="M40 300c120 10 140 130 250 120s130-150 240-160 130 120 190 250" />
      {[
        [40, 300],
        [290, 420],
        [530, 260],
      ].map(([x, y]) => (
        <circle key={x} className="skyline-stop" cx={x} cy={y} r="9" />
      ))}
      <path className="skyline-vehicle" d="M0-30 22 22 0 11-22 22z" transform="translate(720 510) rotate(155)" />
      <circle className="skyline-fence" cx="530" cy="260" r="92" />
    </svg>
  );
}
