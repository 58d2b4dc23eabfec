export * from "./schema/identity.ts";
export * from "./schema/ledger.ts";
export * from "./schema/plant.ts";
