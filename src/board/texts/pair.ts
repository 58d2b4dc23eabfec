import { textsOf } from "../language.ts";
import { pair as en } from "./pair.en.ts";
import { pair as es } from "./pair.es.ts";

export const pair = textsOf({ en, es });
