/** The middle of a few numbers, of two in the middle the lower one; 0 of none. Without sorting: it is asked at every frame. */
export function lowerMedian(values: readonly number[]): number {
  const half = (values.length - 1) >> 1;
  for (const value of values) {
    let below = 0;
    let same = 0;
    for (const other of values) {
      if (other < value) below++;
      else if (other === value) same++;
    }
    if (below <= half && half < below + same) return value;
  }
  return 0;
}
