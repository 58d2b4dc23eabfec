import { common } from "../texts/common.ts";
import { Dialog } from "./dialog.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Asks the user to sign in again, above a view that keeps its entries. Shown while the session has ended. */
export function SignInAgain() {
  return (
    <Dialog title={common.signInAgain}>
      <p>{common.signInAgainHint}</p>
      <SignInForm />
    </Dialog>
  );
}
