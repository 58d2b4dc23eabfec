import { textsOf } from "../app/language.ts";
import { floor as en } from "./en/floor.ts";
import { floor as es } from "./es/floor.ts";

export const floor = textsOf({ en, es });
