import { common } from "../texts/common.ts";
import { ChooseLanguage } from "./choose-language.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** The page that a view shows until somebody has signed in. The view then replaces it, at the same address. */
export function SignInPage() {
  return (
    <main class="sheet">
      <h1>{common.andon}</h1>
      <p class="quiet">{common.signInHint}</p>
      <SignInForm />
      <ChooseLanguage />
    </main>
  );
}
