// Paths are relative to the project's folder, in which the tool runs.
export default { dialect: "sqlite", schema: "./src/db/schema.ts", out: "./drizzle" };
