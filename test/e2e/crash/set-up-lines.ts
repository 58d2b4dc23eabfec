import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { newPng } from "../../support/pictures.ts";
import { type Answer, type Client, pick, type Step, type Steps, sorted, type Work } from "./line.ts";

type Item = Record<string, unknown>;

/** A resource of the set-up, with what its line of work needs. */
interface Kind {
  name: string;
  path: string;
  /** The body of the n-th item. */
  body(n: number): Item;
  change: Item;
  /** Members that a change sets in addition to those in its body. */
  changed?: Item;
  /** The members that are compared. */
  members: string[];
  /** Members of a new item in addition to those in its body. */
  fresh?: Item;
  /** Related data of an item in addition to its members. */
  more?(item: Answer): Promise<Item> | Item;
  /** False for items of `createBaseCompany`, which do not belong to the line. */
  isListed?(item: Answer): boolean;
  /** Writes between the creation and the change; `shows` returns the expected state with this item as the last. */
  between?(
    id: string,
    item: Item,
    shows: (item: Item, ...others: Item[]) => unknown,
    n: number,
  ): AsyncGenerator<Step, Item[], Answer>;
}

/** Creates, changes, deletes and restores items of a kind in a company, as far as the service has these operations. */
function setUpLine(client: Client, companyId: number, kind: Kind, paths: ReadonlySet<string>): Work {
  const { name, path, members, change } = kind;
  const of = kind.name === "Company" ? "" : `?companyId=${companyId}`;
  async function* steps(): Steps {
    let items: Item[] = [];
    for (let n = 0; ; n++) {
      const body = kind.body(n);
      const fresh: Item = { ...sentMembers(body, members), ...kind.fresh, isDeleted: false };
      const shows = (item: Item, ...others: Item[]) => sorted([...items, item, ...others]);
      const sent = kind.name === "Company" ? body : { ...body, companyId };
      const made = yield { operation: `create${name}`, method: "POST", path, body: sent, isKeyed: true, shows: shows(fresh) };
      const one = `${path}/${encodeURIComponent(made.id)}${of}`;
      const [item = fresh, ...others] = kind.between ? yield* kind.between(made.id, fresh, shows, n) : [];
      const next = { ...item, ...sentMembers(change, members), ...kind.changed };
      yield { operation: `change${name}`, method: "PATCH", path: one, body: change, shows: shows(next, ...others) };
      const gone = { ...next, ...(kind.name === "User" && { isActive: false }), isDeleted: true };
      yield { operation: `delete${name}`, method: "DELETE", path: one, doneBefore: [404], shows: shows(gone, ...others) };
      if (paths.has(`${path}/{id}/restore`)) {
        const back = { ...gone, isDeleted: false };
        yield {
          operation: `restore${name}`,
          method: "POST",
          path: one.replace(/(\?|$)/, "/restore$1"),
          shows: shows(back, ...others),
        };
        yield { operation: `delete${name}`, method: "DELETE", path: one, doneBefore: [404], shows: shows(gone, ...others) };
      }
      items = [...items, gone, ...others];
    }
  }
  const read = async () => {
    const listed = await client.list(`${path}${of}${of === "" ? "?" : "&"}includeDeleted=true`);
    const own = listed.filter((item) => kind.isListed?.(item) ?? true);
    const items = own.map(async (item) => ({
      ...pick(item, members),
      ...(await kind.more?.(item)),
      isDeleted: item.deletedAt !== null,
    }));
    return sorted(await Promise.all(items));
  };
  return { shows: [], read, steps };
}

function sentMembers(body: Item, members: readonly string[]): Item {
  return pick(
    body,
    members.filter((member) => member in body),
  );
}

/** The objects that the lines of the set-up require. Each line has a company of its own. */
export interface BaseCompany {
  companyId: number;
  machine: { id: number; ref: string };
  operator: { id: number; code: string };
  shift: { id: number; name: string };
  widgetId: string;
}

const l10n = (text: string) => ({ en: text, es: text });
const iso = (at: number) => new Date(at).toISOString();
const DAY = 86_400_000;
const start = Date.now();

/**
 * A line of work per resource of the set-up.
 * @param createBaseCompany creates a company with these objects
 * @param paths of the service's API: lines of others are left out
 */
export async function setUpLines(
  client: Client,
  createBaseCompany: () => Promise<BaseCompany>,
  paths: ReadonlySet<string>,
): Promise<Work[]> {
  const line = async (kindOn: (on: BaseCompany) => Kind) => {
    const on = await createBaseCompany();
    const kind = kindOn(on);
    return paths.has(kind.path) ? [setUpLine(client, on.companyId, kind, paths)] : [];
  };
  /** With a change that is planned ahead, if the service has versions. */
  const withPlan = (on: BaseCompany, kind: Kind, change: Item): Kind =>
    paths.has(`${kind.path}/{id}/versions`) ? { ...kind, between: planned(client, on, kind, change) } : kind;
  const lines = await Promise.all([
    line((on) => ({
      ...plain("Operator", "/v1/operators", (n) => ({ name: `Operator ${n}`, code: `O-${n + 1}` })),
      isListed: (item) => item.id !== on.operator.id,
    })),
    line(() => plain("Line", "/v1/lines", (n) => ({ name: `Line ${n}`, order: n }))),
    line((on) =>
      withPlan(
        on,
        plain("StopCause", "/v1/stop-causes", (n) => ({ level: "general", name: `Cause ${n}`, isProgrammed: true })),
        { isProgrammed: false },
      ),
    ),
    line(() => plain("DefectReason", "/v1/defect-reasons", (n) => ({ name: `Reason ${n}` }))),
    line((on) => ({
      ...plain("CalendarDay", "/v1/calendar-days", (n) => ({
        date: iso(start + (400 + n) * DAY).slice(0, 10),
        scope: "company",
        closed: true,
      })),
      change: { shifts: [{ shiftId: on.shift.id, start: "06:00", end: "12:00" }] },
      changed: { closed: false },
    })),
    line(() => ({
      ...plain("WebhookSubscription", "/v1/webhook-subscriptions", (n) => ({
        url: `https://erp${n}.example.com/`,
        isActive: false,
      })),
      change: { description: "Renamed" },
    })),
    line((on) => gateways(on, paths)),
    line((on) => reports(client, on)),
    line(() =>
      plain("AlertRule", "/v1/alert-rules", (n) => ({
        name: `Rule ${n}`,
        when: { kind: "stop", minutes: n + 10 },
        isActive: false,
      })),
    ),
    line(() => ({
      ...plain("ChatRoom", "/v1/chat-rooms", (n) => ({ name: `Room ${n}`, service: "slack", language: "en", url: roomUrl })),
      change: { name: "Renamed" },
      members: ["name", "service", "language"],
      async *between(id, item, shows) {
        yield { operation: "testChatRoom", method: "POST", path: `/v1/chat-rooms/${id}/test`, shows: shows(item) };
        return [item];
      },
    })),
    line((on) => programs(on)),
    line((on) =>
      withPlan(
        on,
        plain("Sku", "/v1/skus", (n) => ({ id: `S ${n}`, name: `Sku ${n}`, standards: standards(n) })),
        { standards: standards(999) },
      ),
    ),
    line((on) =>
      withPlan(
        on,
        {
          ...plain("Company", "/v1/companies", (n) => ({ name: `Doomed ${n}`, timezone: "Europe/Madrid" })),
          change: { name: "Doomed and renamed" },
          isListed: (item) => item.name.startsWith("Doomed"),
        },
        { timezone: "UTC" },
      ),
    ),
    line((on) =>
      withPlan(
        on,
        {
          ...plain("Machine", "/v1/machines", (n) => ({
            name: `Press ${n}`,
            ref: `P-${n}`,
            nodeId: n,
            standardCycleSeconds: 2.5,
          })),
          isListed: (item) => item.id !== on.machine.id,
        },
        { standardCycleSeconds: 3 },
      ),
    ),
    line((on) =>
      withPlan(
        on,
        {
          ...plain("Shift", "/v1/shifts", () => ({ name: "Short", start: "05:00", end: "05:30", days: ["monday", "sunday"] })),
          change: { name: "Shorter", days: ["tuesday"] },
          isListed: (item) => item.id !== on.shift.id,
        },
        { end: "05:20" },
      ),
    ),
    line(() => users),
    line((on) => plans(on)),
    line((on) => widgets(client, on)),
    line((on) => dashboards(on, paths)),
  ]);
  return lines.flat();
}

/** A change that is planned ahead, and withdrawn: the item as it is now shows neither. */
function planned(
  client: Client,
  { companyId }: Pick<BaseCompany, "companyId">,
  { name, path }: Kind,
  change: Item,
): NonNullable<Kind["between"]> {
  const of = name === "Company" ? "" : `?companyId=${companyId}`;
  return async function* (id, item, shows) {
    const one = `${path}/${encodeURIComponent(id)}`;
    const body = { ...change, effectiveFrom: iso(start + 300 * DAY), reason: "Planned" };
    yield { operation: `change${name}`, method: "PATCH", path: one + of, body, shows: shows(item) };
    const versions = await client.list(`${one}/versions${of}`);
    const version = versions.find(({ state }) => state === "future");
    if (!version) throw new Error(`no version of ${one} is planned: ${JSON.stringify(versions)}`);
    const withdraw = { operation: `withdraw${name}Version`, method: "DELETE", doneBefore: [404, 409] };
    yield { ...withdraw, path: `${one}/versions/${version.id}${of}`, shows: shows(item) };
    return [item];
  };
}

function plain(name: string, path: string, body: (n: number) => Item): Kind {
  return { name, path, body, change: { name: "Renamed" }, members: Object.keys(body(0)) };
}

/** Nothing answers there. */
const roomUrl = "https://hooks.crash.test/room";

/** With runs: the audit shows how often. */
function reports(client: Client, { companyId }: BaseCompany): Kind {
  const path = "/v1/report-subscriptions";
  return {
    name: "ReportSubscription",
    path,
    body: (n) => ({ name: `Report ${n}`, kind: "daily", time: "06:30", isActive: false }),
    change: { name: "Renamed" },
    members: ["name", "kind", "time", "isActive"],
    fresh: { runs: 0 },
    async more({ id }) {
      const runs = await client.list(`/v1/audit?companyId=${companyId}&action=report-subscription.run`);
      return { runs: runs.filter(({ objectId }) => objectId === id).length };
    },
    async *between(id, item, shows) {
      const ran = { ...item, runs: 1 };
      yield { operation: "runReportSubscription", method: "POST", path: `${path}/${id}/run`, isKeyed: true, shows: shows(ran) };
      return [ran];
    },
  };
}

const standards = (n: number) => [{ machineId: null, standardCycleSeconds: n + 1 }];

const passwords = ["lantern harbour mosquito 58", "orchard velvet 77 trombone", "granite umbrella fox 4312"] as const;

/** With passwords: the latest one works. */
const users: Kind = {
  name: "User",
  path: "/v1/users",
  body: (n) => ({ name: "Ana", email: `ana${n}@crash.test`, password: passwords[0], role: "readonly" }),
  change: { name: "Ana Ruiz", password: passwords[2] },
  members: ["name", "email", "role", "isActive"],
  fresh: { isActive: true },
  isListed: (item) => item.email.endsWith("@crash.test"),
  async *between(_id, item, shows) {
    const signIn = { method: "POST", path: "/identity/login", shows: shows(item) };
    const { data } = yield { ...signIn, operation: "login", body: { email: item.email, password: passwords[0] } };
    yield {
      operation: "changePassword",
      method: "PUT",
      path: "/v1/password",
      token: data.jwt.token,
      body: { currentPassword: passwords[0], newPassword: passwords[1] },
      doneBefore: [401],
      shows: shows(item),
    };
    const second = yield { ...signIn, operation: "login", body: { email: item.email, password: passwords[1] } };
    const { token } = second.data.jwt;
    yield { operation: "signOut", method: "DELETE", path: "/v1/tokens", token, doneBefore: [401], shows: shows(item) };
    return [item];
  },
};

/** With a gateway that is paired: its token is like any other. */
function gateways({ companyId }: BaseCompany, paths: ReadonlySet<string>): Kind {
  const kind = plain("GatewayToken", "/v1/gateway-tokens", (n) => ({ name: `Gateway ${n}` }));
  const path = "/v1/gateway-pairings";
  if (!paths.has(path)) return kind;
  return {
    ...kind,
    async *between(_id, item, shows, n) {
      const paired = { ...item, name: `Paired ${n}` };
      const body = { companyId, name: paired.name };
      const { code } = yield { operation: "createGatewayPairing", method: "POST", path, body, isKeyed: true, shows: shows(item) };
      yield {
        operation: "confirmGatewayPairing",
        method: "POST",
        path: `${path}/confirm`,
        body: { code },
        doneBefore: [400],
        shows: shows(item, paired),
      };
      return [item, paired];
    },
  };
}

/** With walls and terminals: a confirmed pairing is a token like any other. */
function programs({ companyId, machine }: BaseCompany): Kind {
  return {
    ...plain("ApiToken", "/v1/api-tokens", (n) => ({ name: `Program ${n}`, role: "readonly" })),
    async *between(_id, item, shows, n) {
      const path = "/v1/wall-pairings";
      const { code } = yield { operation: "createWallPairing", method: "POST", path, shows: shows(item) };
      const wall = { ...item, name: `Wall ${n}` };
      yield {
        operation: "confirmWallPairing",
        method: "POST",
        path: `${path}/confirm`,
        body: { companyId, code, name: wall.name },
        isKeyed: true,
        shows: shows(item, wall),
      };
      const terminals = "/v1/terminal-pairings";
      const shown = yield { operation: "createTerminalPairing", method: "POST", path: terminals, shows: shows(item, wall) };
      const terminal = { ...wall, name: `Terminal ${n}`, role: "user" };
      yield {
        operation: "confirmTerminalPairing",
        method: "POST",
        path: `${terminals}/confirm`,
        body: { companyId, code: shown.code, name: terminal.name, machineIds: [machine.id] },
        isKeyed: true,
        shows: shows(item, wall, terminal),
      };
      return [item, wall, terminal];
    },
  };
}

function plans({ companyId, machine, operator, shift }: BaseCompany): Kind {
  const times = { since: iso(start + DAY), until: iso(start + 2 * DAY) };
  const assignments = [{ operatorId: operator.id, machineId: machine.id, shiftId: shift.id }];
  return {
    name: "OperatorPlan",
    path: "/v1/operator-plans",
    body: (n) => ({ title: `Week ${n}`, ...times, assignments }),
    change: { title: "Other week", until: iso(start + 4 * DAY) },
    members: ["title", "since", "until", "operatorCount", "machineCount"],
    fresh: { operatorCount: 1, machineCount: 1 },
    async *between(id, item, shows, n) {
      const next = { ...item, until: iso(start + 3 * DAY) };
      yield {
        operation: "updateOperatorPlan",
        method: "PUT",
        path: `/operator-plan/${id}`,
        body: { until: next.until },
        shows: shows(next),
      };
      const title = `File ${n}`;
      const query = new URLSearchParams({ companyId: String(companyId), title, ...times });
      const filed = { ...item, ...times, title };
      yield {
        operation: "uploadOperatorPlan",
        method: "POST",
        path: `/v1/operator-plans/csv?${query}`,
        headers: { "content-type": "text/csv" },
        body: `operatorCode,machineRef,shiftName\n${operator.code},${machine.ref},${shift.name}\n`,
        isKeyed: true,
        shows: shows(next, filed),
      };
      return [next, filed];
    },
  };
}

const drawn = (n: number) => ({ title: l10n(`Number ${n}`), description: l10n("About"), spec: { n } });

/** With pictures: the picture that a widget refers to exists, byte for byte. */
function widgets(client: Client, { companyId, widgetId }: BaseCompany): Kind {
  const served = async (address: string | null) => {
    if (address === null) return null;
    let response = await fetch(client.url + new URL(address).pathname);
    // All pictures of many rounds exceed the rate limit.
    for (; response.headers.has("retry-after"); response = await fetch(client.url + new URL(address).pathname)) {
      await sleep(1000 * Number(response.headers.get("retry-after")));
    }
    return response.ok ? hashOf(new Uint8Array(await response.arrayBuffer())) : response.status;
  };
  return {
    name: "Widget",
    path: "/v1/widgets",
    body: drawn,
    change: { labels: "changed" },
    members: ["title", "spec", "labels", "isSystem"],
    fresh: { labels: "", isSystem: false, picture: null, hasSmall: false },
    isListed: (item) => item.id !== widgetId,
    async more({ thumbnailUrl, compressedThumbnailUrl }) {
      const small = await served(compressedThumbnailUrl);
      return { picture: await served(thumbnailUrl), hasSmall: typeof small === "string" };
    },
    async *between(id, item, shows) {
      const png = newPng(40, 30);
      const form = new FormData();
      form.set("file", new File([png], "picture.png"));
      const pictured = { ...item, picture: hashOf(png), hasSmall: true };
      yield {
        operation: "uploadThumbnail",
        method: "POST",
        path: `/widgets/${id}/thumbnail`,
        body: form,
        shows: shows(pictured),
      };
      const copy = { ...pictured, isSystem: true };
      yield {
        operation: "promoteWidget",
        method: "POST",
        path: "/widgets/system/promote",
        body: { sourceCompanyId: companyId, widgetId: id },
        isKeyed: true,
        shows: shows(pictured, copy),
      };
      return [pictured, copy];
    },
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function dashboards({ widgetId }: BaseCompany, paths: ReadonlySet<string>): Kind {
  return {
    name: "Dashboard",
    path: "/v1/dashboards",
    body: (n) => ({ ...drawn(n), instances: [{ widgetId, specOverride: { n } }] }),
    change: { spec: { columns: 3 }, instances: [] },
    changed: { widgets: 0 },
    members: ["title", "spec"],
    fresh: { isArchived: false, isFavorited: false, widgets: 1 },
    more: ({ archivedAt, isFavorited, instances }) => ({
      isArchived: archivedAt !== null,
      isFavorited,
      widgets: instances.length,
    }),
    async *between(id, item, shows) {
      const archived = { ...item, isArchived: true };
      const archive = `/widgets/dashboards/${id}/archive`;
      yield { operation: "archiveDashboard", method: "PATCH", path: archive, shows: shows(archived) };
      const unarchive = `/v1/dashboards/${id}/unarchive`;
      yield { operation: "unarchiveDashboard", method: "POST", path: unarchive, shows: shows(item) };
      if (!paths.has("/v1/dashboards/{id}/favorite")) return [item];
      const favorite = `/v1/dashboards/${id}/favorite`;
      const favored = { ...item, isFavorited: true };
      const body = { isFavorited: true };
      yield { operation: "putFavoriteDashboard", method: "PUT", path: favorite, body, shows: shows(favored) };
      return [favored];
    },
  };
}
