import { textsOf } from "../language.ts";
import { past as en } from "./past.en.ts";
import { past as es } from "./past.es.ts";

export const past = textsOf({ en, es });
