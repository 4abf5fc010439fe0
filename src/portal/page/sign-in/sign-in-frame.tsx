import type { ReactNode } from "react";
import { Logo } from "../common/logo.tsx";
import { Skyline } from "./skyline.tsx";

/** What is around the forms for people who are not signed in. */
export function SignInFrame({ children }: { readonly children: ReactNode }) {
  return (
    <main className="sign-in">
      <section className="sign-in-card">
        <p className="brand">
          <Logo />
          <span>Odograph</span>
        </p>
        {children}
      </section>
      <Skyline />
    </main>
  );
}
