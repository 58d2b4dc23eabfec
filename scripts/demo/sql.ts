import { tokenHashOf } from "../../src/core/bearer-token.ts";
import { hashPassword } from "../../src/core/password.ts";
import {
  companies as companiesTable,
  countChannels,
  countSensors,
  gatewayTokens,
  machines as machinesTable,
  operators as operatorsTable,
  shifts as shiftsTable,
  skuStandards,
  skus as skusTable,
  stopCauses,
  users,
} from "../../src/db/schema.ts";
import { insertSql } from "../sql.ts";
import { officeSql } from "./office.ts";
import { orderSql } from "./orders.ts";
import {
  accounts,
  causes,
  companies,
  type DemoMachine,
  gateways,
  machineStandards,
  machines,
  operators,
  password,
  shifts,
  skus,
} from "./plant.ts";
import { type DemoState, historyStart } from "./state.ts";
import { widgetSql } from "./widgets.ts";

/** The SQL that sets up the demo plant in an empty database. */
export async function demoSql(state: DemoState): Promise<string> {
  const stamps = { createdAt: state.createdAt, updatedAt: state.createdAt };
  const stamped = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, ...stamps }));
  const people = await Promise.all(accounts.map(async (account) => ({ ...account, passwordHash: await hashPassword(password) })));
  const standards = skus.map(({ companyId, id, standardCycleSeconds }) => ({ companyId, skuId: id, standardCycleSeconds }));
  return [
    insertSql(companiesTable, stamped(companies)),
    insertSql(users, stamped(people)),
    insertSql(
      gatewayTokens,
      gateways.map(({ id, companyId, name }) => {
        const token = state.tokens[id];
        if (!token) throw new Error(`No token for gateway ${id}`);
        return { id, companyId, name, tokenHash: tokenHashOf(token), ...stamps };
      }),
    ),
    insertSql(
      shiftsTable,
      stamped(shifts).map((shift) => ({ ...shift, days: [1, 2, 3, 4, 5, 6, 7] })),
    ),
    insertSql(operatorsTable, stamped(operators)),
    insertSql(skusTable, stamped(skus.map(({ companyId, id, name }) => ({ companyId, id, name })))),
    insertSql(skuStandards, [...standards, ...machineStandards]),
    insertSql(stopCauses, stamped(causes)),
    ...machines.map((machine) => machineSql(machine, state.createdAt)),
    officeSql(state.createdAt),
    widgetSql(state.createdAt),
    orderSql(state.createdAt),
  ].join("");
}

function machineSql(machine: DemoMachine, createdAt: number): string {
  const gateway = gateways.find(({ id }) => id === machine.gatewayId);
  if (!gateway) throw new Error(`No gateway ${machine.gatewayId}`);
  const { companyId, nodeId } = gateway;
  const { id, name, ref, signal, standardCycleSeconds, hourlyRate } = machine;
  const commissionedAt = historyStart(companyId, createdAt);
  const own = { id, companyId, name, ref, nodeId, signal, standardCycleSeconds, hourlyRate };
  const row = { ...own, commissionedAt, createdAt, updatedAt: createdAt };
  return [
    insertSql(machinesTable, [row]),
    insertSql(countSensors, [{ machineId: id, isCountEnabled: true, updatedAt: createdAt }]),
    insertSql(
      countChannels,
      machine.channels.map((channel) => ({ companyId, nodeId, machineId: id, ...channel })),
    ),
  ].join("");
}
