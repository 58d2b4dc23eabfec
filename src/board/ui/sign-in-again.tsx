import "./sign-in-again.css";
import { useEffect, useRef } from "preact/hooks";
import { common } from "../texts/common.ts";
import { SignInForm } from "./sign-in-form.tsx";

/** Asks the user to sign in again, above a view that keeps its entries. Shown while the session has ended. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="sign-in-again" aria-labelledby="sign-in-again" onCancel={(event) => event.preventDefault()}>
      <h2 id="sign-in-again">{common.signInAgain}</h2>
      <p>{common.signInAgainHint}</p>
      <SignInForm />
    </dialog>
  );
}
