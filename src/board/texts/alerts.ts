import { textsOf } from "../language.ts";
import { alerts as en } from "./alerts.en.ts";
import { alerts as es } from "./alerts.es.ts";

export const alerts = textsOf({ en, es });
