import { sourceConfig } from "./sources/types.ts";

// `andon-bridge COMMAND`: the commands are in commands/.
console.error(`Known types of sources: ${sourceConfig.options.map((option) => option.shape.type.value).join(", ")}`);
