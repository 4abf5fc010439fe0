/** Lists of plain values that are shorter than this stay on one line. */
const longestLine = 60;

export function layOut(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (list, items: string) => {
    const line = items.replace(/,\n\s+/g, ", ");
    return line.length <= longestLine ? `[${line}]` : list;
  });
}

type Part = readonly [kind: "key" | "string" | "number" | "literal" | "plain", text: string];

/** The parts of laid-out JSON, cut or not. Together they are the text. */
export function jsonParts(text: string): Part[] {
  const token = /("(?:[^"\\\n]|\\.)*")(?=(:?))|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > end) parts.push(["plain", text.slice(end, match.index)]);
    const [found, quoted, colon] = match;
    if (quoted !== undefined) parts.push([colon === ":" ? "key" : "string", found]);
    else parts.push([/^[tfn]/.test(found) ? "literal" : "number", found]);
    end = match.index + found.length;
  }
  if (end < text.length) parts.push(["plain", text.slice(end)]);
  return parts;
}
