import "./home.css";
import "../../ui/large-screen.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Route } from "../../app/route.ts";
import { forgetSession, showCompany, type UserSession, user } from "../../app/session.ts";
import { version } from "../../app/version.ts";
import { api } from "../../data/api.ts";
import { allOf } from "../../data/pages.ts";
import { loadPlant, type Plant, plant } from "../../data/plant.ts";
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
  const reason = useSignal<string | null>(null);
  const companies = useSignal<Plant[]>([]);
  const { role, email, shownCompanyId, companyId } = signedIn;
  useEffect(() => {
    const load = async () => {
      if (role === "superuser") {
        companies.value = await allOf((cursor) => api("get", "/v1/companies", { query: { limit: 500, ...cursor } }));
      }
      await loadPlant();
    };
    load().catch((error) => {
      reason.value = reasonOf(error);
    });
  }, [shownCompanyId, role]);

  async function signOutEverywhere(): Promise<void> {
    try {
      await api("delete", "/v1/tokens");
      forgetSession();
    } catch (error) {
      reason.value = reasonOf(error);
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
      <div role="alert">{reason.value !== null && <p class="refusal">{reason.value}</p>}</div>
      {companies.value.length > 1 && (
        <label class="field">
          <span>{home.company}</span>
          <select value={shownCompanyId ?? companyId} onChange={({ currentTarget }) => showCompany(Number(currentTarget.value))}>
            {companies.value.map(({ id, name }) => (
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
