import { getJson } from "./request.ts";

export interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** The largest page that the API returns. */
export const pageLimit = 500;

/** The address of a list of the API, as the signed-in user sees it. Null leaves a parameter out. */
export function dataPath(path: string, parameters: Readonly<Record<string, string | null>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== "") query.set(name, value);
  return `/data/${path}${query.size > 0 ? `?${query}` : ""}`;
}

export function getPage<T>(
  path: string,
  parameters: Readonly<Record<string, string | null>>,
  signal?: AbortSignal,
): Promise<Page<T>> {
  return getJson(dataPath(path, parameters), signal);
}

export interface Collected<T> {
  readonly rows: readonly T[];
  /** Whether there are more than `maxRows`. */
  readonly hasMore: boolean;
}

/** All rows of a list, page by page, up to about `maxRows`: a browser cannot hold millions. */
export async function collect<T>(
  path: string,
  parameters: Readonly<Record<string, string | null>>,
  maxRows: number,
  signal?: AbortSignal,
  get = getJson,
): Promise<Collected<T>> {
  const rows: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await get(dataPath(path, { ...parameters, limit: String(pageLimit), cursor }), signal);
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < maxRows);
  return { rows, hasMore: cursor !== null };
}
