import { textsOf } from "../app/language.ts";
import { home as en } from "./en/home.ts";
import { home as es } from "./es/home.ts";

export const home = textsOf({ en, es });
