import { textsOf } from "../app/language.ts";
import { wall as en } from "./en/wall.ts";
import { wall as es } from "./es/wall.ts";

export const wall = textsOf({ en, es });
