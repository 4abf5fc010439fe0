/** Gives how many turns of the event loop there have been since, and ends the count. */
export function countTurns(): () => number {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isOver = true;
    return turns;
  };
}
