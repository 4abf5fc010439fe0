import {
  type Argument,
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

/** With our client; a plain request with the standard library where the client has no method for it. */
export function pythonSample(call: Call, values: Values): string {
  if (isPlain(call, values)) return plainRequest(call, values);
  const inPath = argumentsOf(call, values, "path").map(({ value }) => quoted(value));
  const words = [...inPath, ...clientArguments(call, values).map(keyword)];
  return `import os

from odograph_client import OdographClient

odograph = OdographClient(os.environ["BASE"], os.environ["KEY"])

${reading(call, words)}
`;
}

function reading(call: Call, words: readonly string[]): string {
  if (call.operationId === "listChanges") {
    return `${wrapped("for batch in odograph.follow(", words, "):", "    ")}
    for change in batch.changes:
        print(change)
    # Store it with what you made of the batch, and begin with it.
    print("resume after", batch.resume_after, flush=True)`;
  }
  const noun = snakeCase(nounOf(call));
  const name = `odograph.${snakeCase(call.operationId)}(`;
  if (call.answer === "record") return `${wrapped(`${noun} = ${name}`, words, ")", "    ")}\nprint(${noun})`;
  return `${wrapped(`for ${noun} in ${name}`, words, "):", "    ")}\n    print(${noun})`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `from` is a word of Python's own. */
function keyword(argument: Argument): string {
  const { name } = argument.parameter;
  return `${name === "from" ? "from_" : name}=${literal(argument, { true: "True", false: "False" })}`;
}

function plainRequest(call: Call, values: Values): string {
  const pairs = argumentsOf(call, values, "query").map(
    ({ parameter, value }) => `${quoted(parameter.name)}: ${quoted(value)}`,
  );
  const path = pathOf(call, values);
  const query = pairs.length === 0 ? "" : wrapped("query = urllib.parse.urlencode({", pairs, "})\n", "    ");
  const address = `os.environ["BASE"] + "${path}${pairs.length === 0 ? '"' : '?" + query'}`;
  const parts = call.needsKey ? [address, 'headers={"X-API-Key": os.environ["KEY"]}'] : [address];
  const next = hasNextPage(call, values) ? "\n    # The next page, if there is one, is in the header Link." : "";
  return `import os
${pairs.length === 0 ? "" : "import urllib.parse\n"}import urllib.request

${query}request = ${wrapped("urllib.request.Request(", parts, ")", "    ")}
with urllib.request.urlopen(request) as response:
    print(response.read().decode())${next}
`;
}
