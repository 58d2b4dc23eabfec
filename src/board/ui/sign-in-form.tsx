import { useSignal } from "@preact/signals";
import { user } from "../app/session.ts";
import { signIn } from "../data/sign-in.ts";
import { common, reasonOf } from "../texts/common.ts";

/** The sign-in form. `email`: of the user who was signed in before. */
export function SignInForm({ email = user.peek()?.email ?? "" }) {
  const reason = useSignal<string | null>(null);
  const isWaiting = useSignal(false);

  async function send(form: HTMLFormElement): Promise<void> {
    const entered = new FormData(form);
    isWaiting.value = true;
    reason.value = null;
    try {
      await signIn(String(entered.get("email")), String(entered.get("password")));
    } catch (error) {
      reason.value = reasonOf(error);
    }
    isWaiting.value = false;
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
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
