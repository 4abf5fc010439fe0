import { nextPageHint, quotedJson, type SampleTask } from "./call.ts";

/** With the standard library alone. Lists are read to their end. */
export function goSample(task: SampleTask): string {
  const { query, path, reads, hasNextPage } = task;
  const isLoop = reads === "pages" || reads === "changes";
  const settings = query.map(
    ({ parameter, value }) => `\tquery.Set(${quotedJson(parameter.name)}, ${quotedJson(value)})\n`,
  );
  const hasQuery = isLoop || query.length > 0;
  const imports = ["fmt", "io", "log", "net/http", "os"];
  if (isLoop) imports.push("encoding/json");
  if (hasQuery) imports.push("net/url");
  const address = `"${path}${hasQuery ? '?" + query.Encode()' : '"'}`;
  const next = hasNextPage ? `\t// ${nextPageHint}\n` : "";
  return `package main

import (
${imports
  .sort()
  .map((name) => `\t"${name}"\n`)
  .join("")})

func main() {
${hasQuery ? "\tquery := url.Values{}\n" : ""}${settings.join("")}${isLoop ? loop(task, address) : `\tbody := get(${address})\n\tfmt.Println(string(body))\n${next}`}}

${getFunction(task)}`;
}

function loop({ noun, reads }: SampleTask, address: string): string {
  const isChanges = reads === "changes";
  const pad = isChanges ? " " : "";
  return `	for {
		var page struct {
			Data       ${pad}[]json.RawMessage \`json:"data"\`
			NextCursor ${pad}*string           \`json:"next_cursor"\`
${isChanges ? '\t\t\tResumeAfter string            `json:"resume_after"`\n' : ""}		}
		body := get(${address})
		if err := json.Unmarshal(body, &page); err != nil {
			log.Fatal(err)
		}
		for _, ${noun} := range page.Data {
			fmt.Println(string(${noun}))
		}
		if page.NextCursor == nil {
${isChanges ? '\t\t\tfmt.Println("resume after", page.ResumeAfter)\n' : ""}			break
		}
		query.Set("cursor", *page.NextCursor)
	}
`;
}

function getFunction({ call }: SampleTask): string {
  return `// get reads one answer, or ends the program.
func get(path string) []byte {
	request, err := http.NewRequest("GET", os.Getenv("BASE")+path, nil)
	if err != nil {
		log.Fatal(err)
	}
${call.needsKey ? '\trequest.Header.Set("X-API-Key", os.Getenv("KEY"))\n' : ""}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", response.Status, body)
	}
	return body
}
`;
}
