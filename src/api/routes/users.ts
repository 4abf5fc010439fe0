import { Failure } from "../../domain/errors.ts";
import { isUuid } from "../../domain/text/identifiers.ts";
import { type SubAccountRow, subAccount, subAccounts } from "../../store/fleet/users.ts";
import { userPath } from "../input/path-parameters.ts";
import { idList } from "../lists/id-list.ts";
import { singleBody, singleOf } from "../records/body.ts";
import { story } from "../records/story.ts";
import { user } from "../records/user.ts";
import type { Route } from "../route.ts";

export const listUsers: Route = idList<SubAccountRow>({
  path: "/users",
  operationId: "listUsers",
  tag: "Users",
  summary: "List sub-accounts",
  description:
    "For a key of the owner all sub-accounts, in ascending id; for a key of a sub-account itself. The owner is not in it.",
  scope: "users:read",
  record: user,
  example: "/users",
  query: ({ database, visibility }, page, count) => subAccounts(database, visibility, { after: page.after, count }),
  idOf: (row) => row.id,
  // Rows are small, but the devices of each are counted.
  isLong: true,
});

export const getUser: Route = {
  path: "/users/{user_id}",
  operationId: "getUser",
  tag: "Users",
  summary: "Get one sub-account",
  description: "One sub-account, by its id.",
  scope: "users:read",
  parameters: [userPath],
  response: singleOf(user.schema, user.name),
  example: { request: `/users/${story.userId}`, response: { data: user.example } },
  async answer({ database, visibility, input }) {
    const id = input.get(userPath) ?? "";
    const found = isUuid(id) ? await subAccount(database, visibility, id.toLowerCase()) : null;
    if (!found) throw new Failure("NOT_FOUND", "there is no such user");
    return { body: singleBody(user.json([found])) };
  },
};
