import published from "./published.json" with { type: "json" };

/**
 * Numbers that Teltonika publishes for its models, from each first to each last. Those without a reading have no field of ours. Any
 * other number is named to the owner. After https://wiki.teltonika-gps.com/view/Full_AVL_ID_List.
 */
const publishedRanges = Object.values(published).flat();

export function isPublished(id: number): boolean {
  return publishedRanges.some(([first = 0, last = 0]) => id >= first && id <= last);
}
