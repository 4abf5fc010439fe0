/** Characters that must be decoded: all but printable ASCII, and of that `%` and `+`. */
const mayNeedDecoding = /[^!-$&-*,-~]/;

/** As `URLSearchParams` reads them. A query with nothing to decode is split by hand, in half the time. */
export function valuesByName(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (query.startsWith("?") || mayNeedDecoding.test(query)) {
    for (const [name, value] of new URLSearchParams(query)) add(values, name, value);
    return values;
  }
  for (let start = 0, end = 0; start < query.length; start = end + 1) {
    end = endOf("&", query, start, query.length);
    const nameEnd = endOf("=", query, start, end);
    if (end > start) add(values, query.slice(start, nameEnd), query.slice(nameEnd + 1, end));
  }
  return values;
}

/** The index of the character that ends a part, or the bound if there is none before it. */
function endOf(sign: string, query: string, start: number, bound: number): number {
  const at = query.indexOf(sign, start);
  return at < 0 || at > bound ? bound : at;
}

function add(values: Map<string, string[]>, name: string, value: string): void {
  const others = values.get(name);
  if (others) others.push(value);
  else values.set(name, [value]);
}
