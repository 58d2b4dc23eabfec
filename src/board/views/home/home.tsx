import "./home.css";
import "../../ui/large-screen.css";
import { useSignal } from "@preact/signals";
import type { Route } from "../../app/route.ts";
import { forgetSession, showCompany, type UserSession, user } from "../../app/session.ts";
import { version } from "../../app/version.ts";
import { api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";
import { loadPlant, plant } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { reasonOf } from "../../texts/common.ts";
import { home } from "../../texts/home.ts";
import { Bell } from "../../ui/bell.tsx";
import { ChooseLanguage } from "../../ui/choose-language.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { SignInPage } from "../../ui/sign-in-page.tsx";

/** The page at `/`: sign in, then choose a view. */
export default function Home({ route }: { route: Route }) {
  if (route.path.length > 0 || location.pathname !== "/") return <NotFound />;
  return user.value ? <Choices signedIn={user.value} /> : <SignInPage />;
}

function Choices({ signedIn }: { signedIn: UserSession }) {
  const { role, email, shownCompanyId, companyId } = signedIn;
  const plants = useRead(role === "superuser" ? ["/v1/companies"] : null, () =>
    allOf((cursor) => api("get", "/v1/companies", { query: { limit: 500, ...cursor } })),
  );
  const own = useRead(["/v1/companies/{id}"], loadPlant);
  const companies = plants.data ?? [];
  const signingOut = useSignal<unknown>(null);
  const error = signingOut.value ?? own.error ?? plants.error;

  async function signOutEverywhere(): Promise<void> {
    try {
      await api("delete", "/v1/tokens");
      forgetSession();
    } catch (failure) {
      signingOut.value = failure;
    }
  }

  const links = [
    { href: "/wall", name: home.wall, hint: home.wallHint },
    ...(role === "readonly" ? [] : [{ href: "/floor", name: home.floor, hint: home.floorHint }]),
    { href: "/desk", name: home.desk, hint: home.deskHint },
    ...(["superuser", "superadmin", "admin"].includes(role) ? [{ href: "/pair", name: home.pair, hint: home.pairHint }] : []),
    { href: "/docs", name: home.docs, hint: home.docsHint },
  ];
  return (
    <main class="sheet home">
      <header class="home-head">
        <h1>{plant.value?.name ?? "Andon"}</h1>
        <Bell />
      </header>
      <p class="quiet">{home.hello(email)}</p>
      <div role="alert">{error !== null && <p class="refusal">{reasonOf(error)}</p>}</div>
      {companies.length > 1 && (
        <label class="field">
          <span>{home.company}</span>
          <select value={shownCompanyId ?? companyId} onChange={({ currentTarget }) => showCompany(Number(currentTarget.value))}>
            {companies.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <nav>
        <ul>
          {links.map(({ href, name, hint }) => (
            <li key={href}>
              <a href={href}>
                <strong>{name}</strong> {hint}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ChooseLanguage />
      <button type="button" class="button" onClick={forgetSession}>
        {home.signOut}
      </button>
      <button type="button" class="button" onClick={() => void signOutEverywhere()}>
        {home.signOutEverywhere}
      </button>
      <p class="quiet">{home.version(version)}</p>
    </main>
  );
}
