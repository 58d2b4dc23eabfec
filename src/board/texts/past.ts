import { textsOf } from "../app/language.ts";
import { past as en } from "./en/past.ts";
import { past as es } from "./es/past.ts";

export const past = textsOf({ en, es });
