import { Failure } from "../../domain/errors.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { noSuchDevice } from "../input/device-input.ts";
import { readInput, refuseProblems } from "../input/read-input.ts";
import type { Route } from "../route.ts";
import { errorConditions, errorResponse } from "./error-responses.ts";
import type { ResponseObject } from "./types.ts";

/** A wrong value for parameters of which most routes have one. */
const wrongValues: readonly (readonly [name: string, value: string])[] = [
  ["status", "asleep"],
  ["severity", "high"],
  ["from", "yesterday"],
  ["limit", "0"],
  ["format", "xml"],
];

/** What a path parameter or a filter may name that does not exist. The kind of sensor comes first in its path. */
const notFoundMessages: readonly (readonly [name: string, message: string])[] = [
  ["kind", `there is no such kind of sensor; there are ${sensorKinds.join(", ")}`],
  ["user_id", "there is no such user"],
  ["device_id", noSuchDevice().message],
  ["imei", noSuchDevice().message],
];

/** The 400 of a route; null if no request can be wrong. */
export function invalidRequestResponse(route: Route): ResponseObject | null {
  if (!route.parameters.some((parameter) => parameter.in === "query")) return null;
  return errorResponse(wrongRequest(route), errorConditions.INVALID_REQUEST);
}

/** The route's message for a wrong request, from the code that reads requests. */
function wrongRequest(route: Route): Failure {
  const wrong = wrongValues.filter(([name]) => hasParameter(route, name)).map(([name, value]) => `${name}=${value}`);
  try {
    refuseProblems(readInput(route.parameters, [], wrong.join("&")).problems);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`${route.path}: no wrong request is known for its example`);
}

/** The 404 of a route; null if it has none: a list that is not narrowed may be empty, but it exists. */
export function notFoundResponse(route: Route): ResponseObject | null {
  const message = notFoundMessages.find(([name]) => hasParameter(route, name))?.[1];
  if (message === undefined) return null;
  return errorResponse(new Failure("NOT_FOUND", message), errorConditions.NOT_FOUND);
}

function hasParameter(route: Route, name: string): boolean {
  return route.parameters.some((parameter) => parameter.name === name);
}
