import "./start.css";
import "../../ui/card.css";
import type { Route } from "../../app/route.ts";
import { companyQuery, user } from "../../app/session.ts";
import { api } from "../../data/api.ts";
import { loadPlant } from "../../data/plant.ts";
import { useRead } from "../../data/query.ts";
import { Refused } from "../../form/form-end.tsx";
import { common, reasonOf } from "../../texts/common.ts";
import { start as t } from "../../texts/start.ts";
import { later } from "../../ui/later.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { Connect } from "./connect.tsx";
import { WorkingHours } from "./hours.tsx";
import { FirstMachine } from "./machine.tsx";
import { Step } from "./step.tsx";

const SignInPage = later(async () => (await import("../../ui/sign-in-page.tsx")).SignInPage);

/** Loaded later: the first count needs none of it. */
const Left = later(async () => {
  const [{ load }, { Left }] = await Promise.all([import("../../texts/left.ts"), import("./left.tsx")]);
  await load();
  return Left;
});

/** As many machines and shifts as this page names: it is for the first ones. */
const MOST = 20;

/** The first steps of a plant, from nothing to the first count. What is done is known from the plant itself, so they can be done in any order. */
export default function Start({ route }: { route: Route }) {
  if (route.path.length > 0) return <NotFound />;
  if (!user.value) return <SignInPage />;
  return <Steps />;
}

function Steps() {
  const loaded = useRead(["first steps"], async () => {
    const query = { ...companyQuery(), limit: MOST };
    const [, shifts, machines, causes, sensors] = await Promise.all([
      loadPlant(),
      api("get", "/v1/shifts", { query }),
      api("get", "/v1/machines", { query }),
      api("get", "/v1/stop-causes", { query: { ...companyQuery(), limit: 1 } }),
      api("get", "/v1/count-sensors", { query }),
    ]);
    return { shifts: shifts.data, machines: machines.data, hasCauses: causes.data.length > 0, sensors: sensors.data };
  });
  const { data } = loaded;
  return (
    <main class="start">
      <h1>{t.title}</h1>
      <p class="quiet">{t.hint}</p>
      <Refused reason={loaded.error === null ? null : reasonOf(loaded.error)} />
      {data && (
        <>
          <WorkingHours shifts={data.shifts} />
          <FirstMachine machines={data.machines} hasCauses={data.hasCauses} />
          <Connect machines={data.machines} sensors={data.sensors} />
          <Step id="see" title={t.see.title}>
            <See />
          </Step>
          <Left />
        </>
      )}
      <p>
        <a href="/">{common.toStart}</a>
      </p>
    </main>
  );
}

function See() {
  return (
    <ul class="start-see">
      {(["wall", "floor", "desk"] as const).map((view) => (
        <li key={view}>
          <a href={`/${view}`}>{t.see.names[view]}</a> {t.see.lines[view]}
        </li>
      ))}
      <li>
        <a href="/pair">{t.see.pair}</a>
      </li>
    </ul>
  );
}
