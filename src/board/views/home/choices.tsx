import { useSignal } from "@preact/signals";
import { companyQuery, forgetSession, showCompany, type UserSession } from "../../app/session.ts";
import { version } from "../../app/version.ts";
import { views } from "../../app/views.ts";
import { api } from "../../data/api.ts";
import { may, mayChooseCompany } from "../../data/may.ts";
import { allOf } from "../../data/pages.ts";
import { loadPlant, plant } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { reasonOf } from "../../texts/common.ts";
import { home } from "../../texts/home.ts";
import { Bell } from "../../ui/bell.tsx";
import { ChooseLanguage } from "../../ui/choose-language.tsx";
import { EmptyPlant } from "../../ui/empty-plant.tsx";
import { Today } from "./today.tsx";

/** The views that it links to. */
const linked = ["wall", "floor", "desk", "pair"] as const;

/** The links to the views that the user may see, and what else there is to choose. */
export function Choices({ signedIn }: { signedIn: UserSession }) {
  const { email, shownCompanyId, companyId } = signedIn;
  const plants = useRead(mayChooseCompany() ? ["/v1/companies"] : null, () =>
    allOf((cursor) => api("get", "/v1/companies", { query: { limit: 500, ...cursor } })),
  );
  const own = useRead(["/v1/companies/{id}"], loadPlant);
  const machines = useRead(may("set-up:write") ? ["/v1/machines", "first"] : null, () =>
    api("get", "/v1/machines", { query: { ...companyQuery(), limit: 1 } }),
  );
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
    ...linked
      .filter((view) => may(views[view].permission))
      .map((view) => ({ href: `/${view}`, name: home[view], hint: home[`${view}Hint`] })),
    { href: "/docs", name: home.docs, hint: home.docsHint },
  ];
  return (
    <main class="home">
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
      {machines.data?.data.length === 0 && <EmptyPlant />}
      {may("reports:read") && <Today key={shownCompanyId} />}
      <nav aria-labelledby="where">
        <h2 id="where">{home.whereTo}</h2>
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
      <footer class="home-foot">
        <ChooseLanguage />
        <button type="button" class="button" onClick={forgetSession}>
          {home.signOut}
        </button>
        <button type="button" class="button" onClick={() => void signOutEverywhere()}>
          {home.signOutEverywhere}
        </button>
        <p class="quiet">{home.version(version)}</p>
      </footer>
    </main>
  );
}
