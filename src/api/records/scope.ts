import { z } from "zod";
import { allScopes } from "../../domain/scopes.ts";

export const scopeText = z.enum(allScopes).meta({ id: "Scope", description: "What a key may read." });
