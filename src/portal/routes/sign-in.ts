import { portalRoute } from "../route.ts";

/** What the page offers to somebody who is not signed in. */
export const showSignIn = portalRoute("GET", "/sign-in", "anyone", async ({ parts }) => ({
  status: 200,
  body: {
    sends_mail: parts.mail !== null,
    openid: parts.openId && { name: parts.openId.name },
    needs_setup: await parts.firstRun.isNeeded(),
  },
}));
