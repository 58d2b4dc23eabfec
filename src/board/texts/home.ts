import { textsOf } from "../language.ts";
import { home as en } from "./home.en.ts";
import { home as es } from "./home.es.ts";

export const home = textsOf({ en, es });
