import type { PortalRoute } from "../route.ts";

/** What the sign-in page offers. */
export const showSignIn: PortalRoute = {
  method: "GET",
  path: "/sign-in",
  who: "anyone",
  answer: async ({ parts }) => ({
    status: 200,
    body: { openid: parts.openId && { name: parts.openId.name } },
  }),
};
