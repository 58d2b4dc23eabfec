import { common } from "../texts/common.ts";
import { ChooseLanguage } from "./choose-language.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** What a view shows to someone who has not signed in. The view itself comes in its place, at the same address. */
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
