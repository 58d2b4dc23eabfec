import { useSignal } from "@preact/signals";
import { keepSession, type Role, user } from "../app/session.ts";
import { api } from "../data/api.ts";
import { common, reasonOf } from "../texts/common.ts";

/** The sign-in form. `email`: of the user who was signed in before. */
export function SignInForm({ email = user.peek()?.email ?? "" }) {
  const reason = useSignal<string | null>(null);
  const isWaiting = useSignal(false);

  async function signIn(form: HTMLFormElement): Promise<void> {
    const entered = new FormData(form);
    isWaiting.value = true;
    reason.value = null;
    try {
      const body = { email: String(entered.get("email")), password: String(entered.get("password")) };
      const { data } = await api("post", "/identity/login", { body });
      const { jwt, id: userId, companyId, role } = data;
      const shown = user.peek()?.userId === userId ? user.peek()?.shownCompanyId : undefined;
      const known = shown === undefined ? {} : { shownCompanyId: shown };
      keepSession({ kind: "user", token: jwt.token, userId, email: data.email, role: role as Role, companyId, ...known });
    } catch (error) {
      reason.value = reasonOf(error);
    }
    isWaiting.value = false;
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signIn(event.currentTarget);
      }}
    >
      <label class="field">
        <span>{common.email}</span>
        <input name="email" type="email" autocomplete="username" required defaultValue={email} />
      </label>
      <label class="field">
        <span>{common.password}</span>
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <div role="alert">{reason.value !== null && <p class="refusal">{reason.value}</p>}</div>
      <button type="submit" class="button primary" disabled={isWaiting.value}>
        {isWaiting.value ? common.signingIn : common.signIn}
      </button>
    </form>
  );
}
