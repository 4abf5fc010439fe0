import { etagOf, readyBody } from "../../http/ready-body.ts";
import { callerKeyRow, callerRow, newestFrameAt } from "../../store/access/caller.ts";
import { singleBody, singleOf } from "../records/body.ts";
import { caller } from "../records/caller.ts";
import type { Route } from "../route.ts";

const encoder = new TextEncoder();

export const getMe: Route = {
  path: "/me",
  operationId: "getMe",
  tag: "Account",
  summary: "Who calls",
  description:
    "The account, the user, the key with its scopes and expiry, what is left of its limits, and how new the data is. The first " +
    "call of an integration: it works with any key.",
  scope: "any",
  parameters: [],
  response: singleOf(caller.schema, caller.name),
  example: { request: "/me", response: { data: caller.example } },
  conditional: true,
  isOfCaller: true,
  async answer({ database, visibility, keyId, reading }) {
    const [who, key, newest] = await Promise.all([
      callerRow(database, visibility),
      keyId === null ? null : callerKeyRow(database, visibility, keyId),
      newestFrameAt(database, visibility),
    ]);
    if (who === null || reading === null) throw new Error("a route was called by nobody");
    const row = { who, key, limits: reading, newestFrameAt: newest };
    const { limits: _, ...lasting } = caller.present(row);
    return {
      body: readyBody(encoder.encode(singleBody(caller.json([row]))), etagOf(JSON.stringify(lasting))),
    };
  },
};
