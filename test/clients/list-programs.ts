import { givenNames, type ListCall, listCalls } from "./list-calls.ts";

/**
 * Programs that call every list and print, as JSON, how many rows each gave. Their arguments are the address, the key
 * and what is given. They are written from the description, so that a new list is called as well.
 */

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const snake = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (text: string) => text.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

export function goProgram(): string {
  const calls = listCalls().map(({ operationId, inPath, inQuery, required }) => {
    const name = capital(operationId);
    const path = inPath.map(({ value }) => `, ${value === "fuel" ? '"fuel"' : "imei"}`).join("");
    const query = inQuery
      .map((given) => `${capital(given)}: ${required.includes(given) ? "" : "&"}${given}`)
      .join(", ");
    return `	{
		answer, err := client.${name}WithResponse(ctx${path}, &api.${name}Params{${query}})
		if err != nil {
			panic(err)
		}
		rows["${operationId}"] = -1
		if answer.JSON200 != nil {
			rows["${operationId}"] = len(answer.JSON200.Data)
			first["${operationId}"] = answer.JSON200.Data[0]
		}
	}`;
  });
  return `package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"odograph.test/clients/api"
)

func main() {
	key, imei, after := os.Args[2], os.Args[5], os.Args[6]
	from, _ := time.Parse(time.RFC3339, os.Args[3])
	to, _ := time.Parse(time.RFC3339, os.Args[4])
	// From here on the name means the moment.
	time, _ := time.Parse(time.RFC3339, os.Args[7])
	ctx := context.Background()
	client, err := api.NewClientWithResponses(os.Args[1], api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-API-Key", key)
			return nil
		}))
	if err != nil {
		panic(err)
	}
	rows := map[string]any{}
	first := map[string]any{}
${calls.join("\n")}
	rows["first"] = first
	json.NewEncoder(os.Stdout).Encode(rows)
}
`;
}

export function pythonProgram(): string {
  const python = (name: string) => (name === "from" ? "from_" : name);
  const calls = listCalls().flatMap(({ operationId, tag, inPath, inQuery }) => {
    const path = inPath.map(({ value }) => (value === "fuel" ? "SensorKind.FUEL, " : "imei, ")).join("");
    const query = inQuery.map((given) => `, ${python(given)}=${python(given)}`).join("");
    const name = snake(operationId);
    return [
      `from odograph_api.api.${tag.toLowerCase()} import ${name}`,
      `data = ${name}.sync_detailed(${path}client=client${query}).parsed.data`,
      `rows["${operationId}"], first["${operationId}"] = len(data), data[0].to_dict()`,
    ];
  });
  return `import datetime, json, sys
from odograph_api import AuthenticatedClient
from odograph_api.models.sensor_kind import SensorKind
url, key, from_, to, imei, after, time = sys.argv[1:]
from_, to, time = (datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (from_, to, time))
client = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="X-API-Key")
rows, first = {}, {}
${calls.join("\n")}
print(json.dumps({**rows, "first": first}))
`;
}

/** A program in TypeScript: what it imports and prepares, and how it calls a list and gets its body. */
function typescript(head: string, bodyOf: (call: ListCall) => string): string {
  const calls = listCalls().map(
    (call) =>
      `{ const data = dataOf(${bodyOf(call)}); rows.${call.operationId} = data?.length ?? -1; first.${call.operationId} = data?.[0]; }`,
  );
  return `${head}
const [baseUrl = "", key = "", ${givenNames.map((name) => `${name} = ""`).join(", ")}] = process.argv.slice(2);
const headers = { "X-API-Key": key };
const rows: Record<string, number> = {};
const first: Record<string, unknown> = {};
const dataOf = (body: unknown) => (body as { data?: unknown[] } | null | undefined)?.data;
prepare();
${calls.join("\n")}
console.log(JSON.stringify({ ...rows, first }));
`;
}

const inPathOf = ({ inPath }: ListCall) => inPath.map(({ value }) => (value === "fuel" ? '"fuel"' : value));
const queryOf = ({ inQuery }: Pick<ListCall, "inQuery">, nameOf = (name: string) => name) =>
  `{ ${inQuery.map((name) => `${nameOf(name)}: ${name}`).join(", ")} }`;

export const typescriptPrograms = {
  oazapfts: () =>
    typescript(
      `import * as client from "./oazapfts.generated.ts";
const prepare = () => Object.assign(client.defaults, { baseUrl, headers });`,
      (call) => {
        const { required } = call;
        const optional = { inQuery: call.inQuery.filter((name) => !required.includes(name)) };
        const query = queryOf(optional, (name) => (name === "from" ? "$from" : name));
        return `(await client.${call.operationId}(${[...inPathOf(call), ...required, query].join(", ")})).data`;
      },
    ),
  "openapi-typescript": () =>
    typescript(
      `import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript.generated.ts";
const client = () => createClient<paths, "application/json">({ baseUrl, headers });
const prepare = () => {};`,
      (call) => {
        const path = call.inPath.map(({ name, value }) => `${name}: ${value === "fuel" ? '"fuel" as const' : value}`);
        const parameters = `{ path: { ${path.join(", ")} }, query: ${queryOf(call)} }`;
        return `(await client().GET("${call.path}", { params: ${parameters} })).data`;
      },
    ),
  "@hey-api/openapi-ts": () =>
    typescript(
      `import { client } from "./generated/client.gen.ts";
import * as sdk from "./generated/sdk.gen.ts";
const prepare = () => client.setConfig({ baseUrl, headers });`,
      (call) => {
        const path = call.inPath.map(({ name, value }) => `${name}: ${value === "fuel" ? '"fuel"' : value}`).join(", ");
        const inPath = path === "" ? "" : `path: { ${path} }, `;
        return `(await sdk.${call.operationId}({ ${inPath}query: ${queryOf(call)} })).data`;
      },
    ),
  "swagger-typescript-api": () =>
    typescript(
      `import { Api, SensorKind } from "./generated/odograph.ts";
const api = () => new Api({ baseUrl, baseApiParams: { headers, format: "json" } });
const prepare = () => {};`,
      (call) => {
        const group = camel(call.path.split("/")[1] ?? "");
        const path = call.inPath.map(({ value }) => (value === "fuel" ? "SensorKind.Fuel" : value));
        return `(await api().${group}.${call.operationId}(${[...path, queryOf(call)].join(", ")})).data`;
      },
    ),
} as const;
