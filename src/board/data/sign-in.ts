import { keepSession, type Role, session, user } from "../app/session.ts";
import { api } from "./api.ts";

/** Signs a user in on this device. @throws Refusal, NoAnswer */
export async function signIn(email: string, password: string): Promise<void> {
  const { data } = await api("post", "/identity/login", { body: { email, password } });
  const { jwt, id: userId, companyId, role } = data;
  const shown = user.peek()?.userId === userId ? user.peek()?.shownCompanyId : undefined;
  const known = shown === undefined ? {} : { shownCompanyId: shown };
  keepSession({ kind: "user", token: jwt.token, userId, email: data.email, role: role as Role, companyId, ...known });
}

/** Lets this device show the wall as an account, without signing anybody in. @throws Refusal, NoAnswer */
export async function showWallAs(email: string, password: string): Promise<void> {
  const { data } = await api("post", "/identity/login", { body: { email, password } });
  // Somebody may have signed in meanwhile.
  if (session.peek() === null) keepSession({ kind: "wall", token: data.jwt.token, companyId: data.companyId });
}
