import { literal, nextPageHint, quotedJson, type SampleTask, wrapped } from "./call.ts";

/** With our client; a plain request where the client has no method for it. */
export function typescriptSample(task: SampleTask): string {
  if (task.reads === "plain") return plainRequest(task);
  return `import { OdographClient } from "odograph-client";

const odograph = new OdographClient({
  url: process.env.BASE ?? "",
  key: process.env.KEY ?? "",
});

${reading(task)}
`;
}

function reading(task: SampleTask): string {
  const { noun, reads, inPath } = task;
  const shown = `  console.log(${noun});\n}`;
  if (reads === "changes") {
    return `${methodCall("for await (const batch of ", "follow", task)}) {
  for (const change of batch.changes) console.log(change);
  // Store it with what you made of the batch, and begin with it.
  console.log("resume after", batch.resumeAfter);
}`;
  }
  const method = (before: string) => methodCall(before, task.call.operationId, task);
  if (reads === "pages") return `${method(`for await (const ${noun} of `)}) {\n${shown}`;
  if (reads === "record") return `${method(`const ${noun} = await `)};\nconsole.log(${noun});`;
  // A short list is an array. A report is a page, which also names its window.
  const rows = inPath.length > 0 ? "list" : "list.data";
  return `${method("const list = await ")};\nfor (const ${noun} of ${rows}) {\n${shown}`;
}

/** The call of a method with what stands before it, which counts for the length of the line. */
function methodCall(before: string, name: string, { inPath, clientQuery }: SampleTask): string {
  const values = inPath.map(({ value }) => quotedJson(value));
  const properties = clientQuery.map(
    (argument) => `${argument.parameter.name}: ${literal(argument, { true: "true", false: "false" })}`,
  );
  if (properties.length === 0) return wrapped(`${before}odograph.${name}(`, values, ")", "  ");
  return objectIn(`${before}odograph.${name}(${values.map((value) => `${value}, `).join("")}`, properties, ")");
}

function objectIn(before: string, properties: readonly string[], after: string): string {
  return wrapped(`${before}{ `, properties, ` }${after}`, "  ").replace("{ \n", "{\n");
}

function plainRequest({ call, path, query: entered, hasNextPage }: SampleTask): string {
  const pairs = entered.map(({ parameter, value }) => `${parameter.name}: ${quotedJson(value)}`);
  const query = pairs.length === 0 ? "" : `${objectIn("const query = new URLSearchParams(", pairs, ");")}\n`;
  const address = `\`\${process.env.BASE}${path}${query === "" ? "" : `?\${query}`}\``;
  const headers = call.needsKey ? ', {\n  headers: { "X-API-Key": process.env.KEY ?? "" },\n}' : "";
  const next = hasNextPage ? `\n// ${nextPageHint}` : "";
  return `${query}const response = await fetch(${address}${headers});
if (!response.ok) throw new Error(await response.text());
console.log(await response.text());${next}
`;
}
