import { textsOf } from "../language.ts";
import { wall as en } from "./wall.en.ts";
import { wall as es } from "./wall.es.ts";

export const wall = textsOf({ en, es });
