export * from "./schema/audit.ts";
export * from "./schema/identity.ts";
export * from "./schema/ledger.ts";
export * from "./schema/office.ts";
export * from "./schema/orders.ts";
export * from "./schema/plant.ts";
export * from "./schema/widgets.ts";
export * from "./values.ts";
