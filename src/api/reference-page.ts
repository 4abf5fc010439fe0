import { type Responding, respond } from "./respond.ts";

export function referencePage(responding: Responding): Response {
  return respond({ body: "{}" }, responding);
}

export function referenceScript(responding: Responding): Response {
  return respond({ body: "{}" }, responding);
}
