/** Parts that nearly every message of a family has, and which no frame has a field for. */
const routine: ReadonlySet<string> = new Set([
  ...["cell tower", "signal", "language", "old place", "reason of the report", "type of the tracker", "priority"],
  ...["version of the protocol", "time of sending", "hours and inputs", "columns before the position"],
  ...["model, version and state", "model and version", "inputs and outputs", "inputs", "outputs", "mode or count"],
  ...["hours of driving", "voltage of its battery", "whether it was stored", "mode or reason", "count of reports"],
  ...["generation type", "reason of the record", "number of the fence", "signal, port or voltage, language"],
]);

/** What else a message holds that was not read. */
export function beyondRoutine(unread: readonly string[]): readonly string[] {
  return unread.filter((name) => !routine.has(name));
}
