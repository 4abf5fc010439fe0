import {
  argumentsOf,
  type Call,
  clientArguments,
  hasNextPage,
  isPlain,
  literal,
  nounOf,
  pathOf,
  quoted,
  type Values,
  wrapped,
} from "./call.ts";

/** With our client; a plain request where the client has no method for it. */
export function typescriptSample(call: Call, values: Values): string {
  if (isPlain(call, values)) return plainRequest(call, values);
  return `import { OdographClient } from "odograph-client";

const odograph = new OdographClient({
  url: process.env.BASE ?? "",
  key: process.env.KEY ?? "",
});

${reading(call, values)}
`;
}

function reading(call: Call, values: Values): string {
  const noun = nounOf(call);
  const shown = `  console.log(${noun});\n}`;
  if (call.operationId === "listChanges") return following(call, values);
  const method = (before: string) => methodCall(before, call.operationId, call, values);
  if (call.answer === "pages") return `${method(`for await (const ${noun} of `)}) {\n${shown}`;
  if (call.answer === "record") return `${method(`const ${noun} = await `)};\nconsole.log(${noun});`;
  // A short list is an array. A report is a page, which also names its window.
  const rows = call.path.includes("{") ? "list" : "list.data";
  return `${method("const list = await ")};\nfor (const ${noun} of ${rows}) {\n${shown}`;
}

/** Until the program is ended. */
function following(call: Call, values: Values): string {
  return `${methodCall("for await (const batch of ", "follow", call, values)}) {
  for (const change of batch.changes) console.log(change);
  // Store it with what you made of the batch, and begin with it.
  console.log("resume after", batch.resumeAfter);
}`;
}

/** The call of a method with what stands before it, which counts for the length of the line. */
function methodCall(before: string, name: string, call: Call, values: Values): string {
  const inPath = argumentsOf(call, values, "path").map(({ value }) => quoted(value));
  const query = clientArguments(call, values).map(
    (argument) => `${argument.parameter.name}: ${literal(argument, { true: "true", false: "false" })}`,
  );
  if (query.length === 0) return wrapped(`${before}odograph.${name}(`, inPath, ")", "  ");
  return objectIn(`${before}odograph.${name}(${inPath.map((value) => `${value}, `).join("")}`, query, ")");
}

function objectIn(before: string, properties: readonly string[], after: string): string {
  return wrapped(`${before}{ `, properties, ` }${after}`, "  ").replace("{ \n", "{\n");
}

function plainRequest(call: Call, values: Values): string {
  const pairs = argumentsOf(call, values, "query").map(({ parameter, value }) => `${parameter.name}: ${quoted(value)}`);
  const query = pairs.length === 0 ? "" : `${objectIn("const query = new URLSearchParams(", pairs, ");")}\n`;
  const address = `\`\${process.env.BASE}${pathOf(call, values)}${query === "" ? "" : `?\${query}`}\``;
  const headers = call.needsKey ? ', {\n  headers: { "X-API-Key": process.env.KEY ?? "" },\n}' : "";
  const next = hasNextPage(call, values) ? "\n// The next page, if there is one, is in the header Link." : "";
  return `${query}const response = await fetch(${address}${headers});
if (!response.ok) throw new Error(await response.text());
console.log(await response.text());${next}
`;
}
