import { textsOf } from "../app/language.ts";
import { pair as en } from "./en/pair.ts";
import { pair as es } from "./es/pair.ts";

export const pair = textsOf({ en, es });
