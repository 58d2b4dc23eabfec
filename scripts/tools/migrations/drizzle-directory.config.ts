// The directory's database. Paths are relative to the project's folder, in which the tool runs.
export default { dialect: "sqlite", schema: "./src/db/schema/directory.ts", out: "./drizzle/directory" };
