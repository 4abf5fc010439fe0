import { type EngineUnderTest, onEachEngine } from "./engines.ts";

/** Declares tests of what does not know where rows are stored, such as clients and protocols: on SQLite alone. */
export function onOneEngine(name: string, declare: (engine: EngineUnderTest) => void): void {
  onEachEngine(name, (engine) => {
    if (engine.name === "sqlite") declare(engine);
  });
}
