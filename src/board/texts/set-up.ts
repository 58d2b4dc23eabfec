import { textsOf } from "../language.ts";
import { setUp as en } from "./set-up.en.ts";
import { setUp as es } from "./set-up.es.ts";

export const setUp = textsOf({ en, es });
