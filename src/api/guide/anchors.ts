/** What a heading is called in links, as forges do it: in small letters, without punctuation, with dashes for blanks. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** The anchors of one document: the second heading of a name gets a number. */
export function anchorMaker(): (heading: string) => string {
  const uses = new Map<string, number>();
  return (heading) => {
    const anchor = anchorOf(heading);
    const before = uses.get(anchor) ?? 0;
    uses.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}
