import { textsOf } from "../app/language.ts";
import { setUp as en } from "./en/set-up.ts";
import { setUp as es } from "./es/set-up.ts";

export const setUp = textsOf({ en, es });
