import { literal, nextPageHint, quotedJson, type SampleArgument, type SampleTask, wrapped } from "./call.ts";

/** With our client; a plain request with the standard library where the client has no method for it. */
export function pythonSample(task: SampleTask): string {
  if (task.reads === "plain") return plainRequest(task);
  return `import os

from odograph_client import OdographClient

odograph = OdographClient(os.environ["BASE"], os.environ["KEY"])

${reading(task)}
`;
}

function reading({ call, reads, inPath, clientQuery, noun }: SampleTask): string {
  const words = [...inPath.map(({ value }) => quotedJson(value)), ...clientQuery.map(keyword)];
  if (reads === "changes") {
    return `${wrapped("for batch in odograph.follow(", words, "):", "    ")}
    for change in batch.changes:
        print(change)
    # Store it with what you made of the batch, and begin with it.
    print("resume after", batch.resume_after, flush=True)`;
  }
  const one = snakeCase(noun);
  const name = `odograph.${snakeCase(call.operationId)}(`;
  if (reads === "record") return `${wrapped(`${one} = ${name}`, words, ")", "    ")}\nprint(${one})`;
  return `${wrapped(`for ${one} in ${name}`, words, "):", "    ")}\n    print(${one})`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `from` is a word of Python's own. */
function keyword(argument: SampleArgument): string {
  const { name } = argument.parameter;
  return `${name === "from" ? "from_" : name}=${literal(argument, { true: "True", false: "False" })}`;
}

function plainRequest({ call, path, query, hasNextPage }: SampleTask): string {
  const pairs = query.map(({ parameter, value }) => `${quotedJson(parameter.name)}: ${quotedJson(value)}`);
  const hasQuery = pairs.length > 0;
  const encoded = hasQuery ? wrapped("query = urllib.parse.urlencode({", pairs, "})\n", "    ") : "";
  const address = `os.environ["BASE"] + "${path}${hasQuery ? '?" + query' : '"'}`;
  const parts = call.needsKey ? [address, 'headers={"X-API-Key": os.environ["KEY"]}'] : [address];
  return `import os
${hasQuery ? "import urllib.parse\n" : ""}import urllib.request

${encoded}request = ${wrapped("urllib.request.Request(", parts, ")", "    ")}
with urllib.request.urlopen(request) as response:
    print(response.read().decode())${hasNextPage ? `\n    # ${nextPageHint}` : ""}
`;
}
