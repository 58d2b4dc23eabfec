import { randomUUID } from "node:crypto";
import { inDatabase } from "../../../scripts/service.ts";
import { insertSql } from "../../../scripts/sql.ts";
import { hashPassword } from "../../../src/core/password.ts";
import { companies, notifications, personas, users } from "../../../src/db/schema.ts";

/** An admin, and a company with this admin only. */
export interface Account {
  companyId: number;
  name: string;
  userId: number;
  email: string;
  password: string;
  /** The persona with the admin's e-mail address: its alerts become notifications of the admin. */
  personaId: string;
}

/** The companies in a state folder that no test has used yet. */
export interface Accounts {
  stateFolder: string;
  admins: Account[];
  /** Changes grants, in the last company. */
  superuser: Pick<Account, "email" | "password">;
}

/** More than a test file uses, in all looks. */
const COMPANIES = 60;

/**
 * Creates empty companies in a migrated state folder, each with an admin: through the API, each would take some tenths of a second for
 * its password alone. These passwords are hashed cheaply, for tests.
 */
export async function settle(stateFolder: string): Promise<Accounts> {
  const now = Date.now();
  const stamps = { createdAt: now, updatedAt: now };
  const password = randomUUID();
  const passwordHash = await hashPassword(password, { n: 16, r: 1, p: 1 });
  const admins = Array.from({ length: COMPANIES }, (_, i): Account => {
    const id = i + 1;
    return {
      companyId: id,
      name: `Plant ${id}`,
      userId: id,
      email: `admin-${id}@browser.test`,
      password,
      personaId: randomUUID(),
    };
  });
  const companyRows = admins.map(({ companyId: id, name }) => ({ id, name, timezone: "UTC", ...stamps }));
  const userRows = admins.map(({ userId: id, companyId, email }) => {
    return { id, companyId, name: "Ana Admin", role: "admin" as const, email, passwordHash, ...stamps };
  });
  const superuser = { email: "superuser@browser.test", password };
  const superuserRow = { id: COMPANIES + 1, companyId: COMPANIES, name: "Sara Superuser", role: "superuser" as const };
  const empty = () => ({ id: randomUUID(), value: "", isActive: false, reference: "" });
  const day = { start: "00:00", end: "24:00" };
  const personaRows = admins.map(({ personaId: id, companyId, email }) => ({
    ...{ id, companyId, name: "Ana Admin", isActive: true, isUser: true, sms: empty(), whatsapp: empty() },
    ...{ email: { ...empty(), value: email }, push: [], alertIds: [], language: "english" },
    alertHours: { sunday: day, monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day },
    ...stamps,
  }));
  const notificationRows = admins.map(({ userId }) => {
    return { id: randomUUID(), userId, title: "Welcome <b>here</b>", body: "Nothing has happened yet.", createdAt: now };
  });
  await inDatabase(stateFolder, ({ run }) => {
    return run([
      ...[
        insertSql(companies, companyRows),
        insertSql(users, [...userRows, { ...superuserRow, email: superuser.email, passwordHash, ...stamps }]),
        insertSql(personas, personaRows),
      ],
      insertSql(notifications, notificationRows),
    ]);
  });
  return { stateFolder, admins, superuser };
}
