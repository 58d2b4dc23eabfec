import { writeFileSync } from "node:fs";
import { clientTypes, typesFile } from "./client-types.ts";
import { apiDocument } from "./document.ts";
import { eventsFile, eventsPage } from "./events.ts";

writeFileSync(typesFile, clientTypes(await apiDocument()));
writeFileSync(eventsFile, eventsPage());
