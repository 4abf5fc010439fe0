import { type DataCall, dataCalls, givenNames } from "./list-calls.ts";

/**
 * Programs that call every operation that gives data and print, as JSON, how many rows each gave and the first. Their arguments are the address, the key
 * and what is given. They are written from the description, so that a new list is called as well.
 */

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const snake = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (text: string) => text.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

export function goProgram(): string {
  const calls = dataCalls().map(({ operationId, isList, inPath, inQuery, required, parameters }) => {
    const name = capital(operationId);
    const path = inPath.map(({ value }) => `, ${value === "fuel" ? '"fuel"' : value}`).join("");
    const query = inQuery
      .map((given) => `${capital(given)}: ${required.includes(given) ? "" : "&"}${given}`)
      .join(", ");
    const more = parameters.length > inPath.length ? `, &api.${name}Params{${query}}` : "";
    const [count, row] = isList ? ["len(answer.JSON200.Data)", "answer.JSON200.Data[0]"] : ["1", "answer.JSON200.Data"];
    return `	{
		answer, err := client.${name}WithResponse(ctx${path}${more})
		if err != nil {
			panic(err)
		}
		rows["${operationId}"] = -1
		if answer.JSON200 != nil {
			rows["${operationId}"] = ${count}
			first["${operationId}"] = ${row}
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
	key, imei, after, user := os.Args[2], os.Args[5], os.Args[6], os.Args[8]
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
  const calls = dataCalls().flatMap(({ operationId, isList, tag, inPath, inQuery }) => {
    const path = inPath.map(({ value }) => (value === "fuel" ? "SensorKind.FUEL, " : `${value}, `)).join("");
    const query = inQuery.map((given) => `, ${python(given)}=${python(given)}`).join("");
    const name = snake(operationId);
    return [
      `from odograph_api.api.${tag.toLowerCase()} import ${name}`,
      `data = ${name}.sync_detailed(${path}client=client${query}).parsed.data`,
      `rows["${operationId}"], first["${operationId}"] = ${isList ? "len(data), data[0]" : "1, data"}.to_dict()`,
    ];
  });
  return `import datetime, json, sys
from odograph_api import AuthenticatedClient
from odograph_api.models.sensor_kind import SensorKind
url, key, from_, to, imei, after, time, user = sys.argv[1:]
from_, to, time = (datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (from_, to, time))
client = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="X-API-Key")
rows, first = {}, {}
${calls.join("\n")}
print(json.dumps({**rows, "first": first}))
`;
}

export function javaProgram(): string {
  const calls = dataCalls().map(({ operationId, isList, tag, inPath, inQuery, parameters }) => {
    const argumentOf = (name: string) => {
      const value = inPath.find((place) => place.name === name)?.value;
      if (value !== undefined) return value === "fuel" ? "SensorKind.FUEL" : value;
      return inQuery.find((given) => given === name) ?? "null";
    };
    const given = parameters.map(({ name }) => argumentOf(name)).join(", ");
    const [count, row] = isList ? ["data.size()", "data.get(0)"] : ["1", "data"];
    return `    {
      var data = new ${tag}Api(client).${operationId}(${given}).getData();
      rows.put("${operationId}", ${count});
      first.put("${operationId}", ${row});
    }`;
  });
  return `import java.time.OffsetDateTime;
import java.util.*;
import org.openapitools.client.*;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

class Lists {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("X-API-Key", args[1]));
    OffsetDateTime from = OffsetDateTime.parse(args[2]), to = OffsetDateTime.parse(args[3]), time = OffsetDateTime.parse(args[6]);
    String imei = args[4], after = args[5], user = args[7];
    Map<String, Object> rows = new LinkedHashMap<>(), first = new LinkedHashMap<>();
${calls.join("\n")}
    rows.put("first", first);
    System.out.println(client.getObjectMapper().writeValueAsString(rows));
  }
}
`;
}

/** A program in TypeScript: what it imports and prepares, and how it calls a list and gets its body. */
function typescript(head: string, bodyOf: (call: DataCall) => string): string {
  const calls = dataCalls().map(
    (call) =>
      `{ const data = dataOf(${bodyOf(call)}); rows.${call.operationId} = countOf(data); first.${call.operationId} = Array.isArray(data) ? data[0] : data; }`,
  );
  return `${head}
const [baseUrl = "", key = "", ${givenNames.map((name) => `${name} = ""`).join(", ")}] = process.argv.slice(2);
const headers = { "X-API-Key": key };
const rows: Record<string, number> = {};
const first: Record<string, unknown> = {};
const dataOf = (body: unknown) => (body as { data?: unknown } | null | undefined)?.data;
const countOf = (data: unknown) => (Array.isArray(data) ? data.length : data ? 1 : -1);
prepare();
${calls.join("\n")}
console.log(JSON.stringify({ ...rows, first }));
`;
}

const inPathOf = ({ inPath }: DataCall) => inPath.map(({ value }) => (value === "fuel" ? '"fuel"' : value));
const takesQueryOf = ({ parameters }: DataCall) => parameters.some((parameter) => parameter.in === "query");
const queryOf = ({ inQuery }: Pick<DataCall, "inQuery">, nameOf = (name: string) => name) =>
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
        const takesQuery = call.parameters.length > call.inPath.length;
        const given = [...inPathOf(call), ...required, ...(takesQuery ? [query] : [])];
        return `(await client.${call.operationId}(${given.join(", ")})).data`;
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
        const parameters = `{ path: { ${path.join(", ")} }${takesQueryOf(call) ? `, query: ${queryOf(call)}` : ""} }`;
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
        return `(await sdk.${call.operationId}({ ${inPath}${takesQueryOf(call) ? `query: ${queryOf(call)}` : ""} })).data`;
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
        return `(await api().${group}.${call.operationId}(${[...path, ...(takesQueryOf(call) ? [queryOf(call)] : [])].join(", ")})).data`;
      },
    ),
} as const;
