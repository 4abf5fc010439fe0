import { type Call, completed, type Task, taskOf, type Values } from "./call.ts";
import { curlSample } from "./curl.ts";
import { goSample } from "./go.ts";
import { pythonSample } from "./python.ts";
import { typescriptSample } from "./typescript.ts";

/** In the order in which they are offered. */
export const languages = ["curl", "TypeScript", "Python", "Go"] as const;

export type Language = (typeof languages)[number];

const writers: Readonly<Record<Language, (task: Task) => string>> = {
  curl: curlSample,
  TypeScript: typescriptSample,
  Python: pythonSample,
  Go: goSample,
};

/** A whole program, or command, that makes the call. It finds address and key in the variables BASE and KEY. */
export function sampleOf(language: Language, call: Call, entered: Values): string {
  return writers[language](taskOf(call, completed(call, entered))).trimEnd();
}
