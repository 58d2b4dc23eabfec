import { textsOf } from "../language.ts";
import { desk as en } from "./desk.en.ts";
import { desk as es } from "./desk.es.ts";

export const desk = textsOf({ en, es });
