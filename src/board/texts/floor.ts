import { textsOf } from "../language.ts";
import { floor as en } from "./floor.en.ts";
import { floor as es } from "./floor.es.ts";

export const floor = textsOf({ en, es });
