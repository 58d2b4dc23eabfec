import { writeFileSync } from "node:fs";
import { apiDocument } from "./api-document.ts";
import { clientTypes, typesFile } from "./client-types.ts";

writeFileSync(typesFile, clientTypes(await apiDocument()));
