import { textsOf } from "../app/language.ts";
import { desk as en } from "./en/desk.ts";
import { desk as es } from "./es/desk.ts";

export const desk = textsOf({ en, es });
