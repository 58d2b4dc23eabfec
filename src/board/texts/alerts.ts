import { textsOf } from "../app/language.ts";
import { alerts as en } from "./en/alerts.ts";
import { alerts as es } from "./es/alerts.ts";

export const alerts = textsOf({ en, es });
