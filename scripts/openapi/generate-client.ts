import { writeFileSync } from "node:fs";
import { clientTypes, typesFile } from "./client-types.ts";
import { apiDocument } from "./document.ts";

writeFileSync(typesFile, clientTypes(await apiDocument()));
