import { expect } from "vitest";
import { type Client, pick, type Steps, sorted, type Work } from "./line.ts";

/** A user who has not yet requested the company's secret. */
export interface Newcomer {
  email: string;
  password: string;
}

/** The owner of the config and the notifications: the client's user. */
export interface Self {
  userId: number;
  companyId: number;
  /** Unread. */
  notificationIds: readonly string[];
}

/** Lines for everything except set-up and production: config, inbox, tags, personas, grants, the webhooks' secret. */
export function officeLines(
  client: Client,
  self: Self,
  companyId: number,
  newcomers: readonly Newcomer[],
  paths: ReadonlySet<string>,
): Work[] {
  return [
    config(client, self),
    inbox(client, self.notificationIds),
    tags(client, companyId),
    ...(paths.has("/v1/plant") ? [plantFiles(client, companyId)] : []),
    ...(paths.has("/v1/setup/imports") ? [setUpImports(client, companyId)] : []),
    ...(paths.has("/v1/signals/ignored") ? [ignoredSignals(client, companyId)] : []),
    personas(client, companyId, paths.has("POST /v1/personas")),
    devices(client),
    grants(client),
    ...(paths.has("POST /v1/role-permissions") ? [moreGrants(client)] : []),
    ...(paths.has("/v1/actions") ? [actions(client, self)] : []),
    limits(client, companyId),
    secrets(client, newcomers),
    webhooks(client, self.companyId),
  ];
}

function config(client: Client, { userId, companyId }: Self): Work {
  async function* steps(): Steps {
    for (let n = 1; ; n++) {
      const saved = { n, deep: { list: [n] } };
      yield { operation: "putConfig", method: "PUT", path: "/v1/config", body: { config: saved }, shows: saved };
      yield { operation: "deleteConfig", method: "DELETE", path: "/config", body: { userId, companyId }, shows: {} };
    }
  }
  return { shows: {}, read: async () => (await client.do("GET", "/v1/config")).config, steps };
}

function inbox(client: Client, ids: readonly string[]): Work {
  async function* steps(): Steps {
    for (let n = 1; ; n++) {
      const notificationIds = ids.slice(0, 2 * n);
      const shows = Math.max(0, ids.length - 2 * n);
      yield {
        operation: "markNotificationsRead",
        method: "PATCH",
        path: "/notifications/markRead",
        body: { notificationIds },
        shows,
      };
    }
  }
  const read = async () => (await client.list("/v1/notifications?isRead=false")).length;
  return { shows: ids.length, read, steps };
}

function tags(client: Client, companyId: number): Work {
  const members = ["tagKey", "sort", "color"];
  async function* steps(): Steps {
    const tag = { companyId, subject: "Machines", description: "Where it stands", isDefault: false };
    let saved: object[] = [];
    for (let n = 0; ; n++) {
      const step = { operation: "saveTagKey", method: "POST", path: "/tags/key", isKeyed: true } as const;
      const [made, changed] = ["#00aa00", "#aa0000"].map((color) => ({ tagKey: `key ${n}`, sort: n, color }));
      yield { ...step, body: { ...tag, ...made }, shows: sorted([...saved, made]) };
      yield { ...step, body: { ...tag, ...changed }, shows: sorted([...saved, changed]) };
      saved = [...saved, changed ?? {}];
    }
  }
  const read = async () => sorted((await client.list(`/v1/tags?companyId=${companyId}`)).map((item) => pick(item, members)));
  return { shows: [], read, steps };
}

/** Plant files, each with one entry more or changed, so that each leaves one entry in the audit. */
function plantFiles(client: Client, companyId: number): Work {
  async function* steps(): Steps {
    const lines: { name: string; order: number }[] = [];
    for (let n = 0; ; n++) {
      const step = { operation: "putPlantFile", method: "PUT", path: `/v1/plant?companyId=${companyId}`, isKeyed: true } as const;
      lines[n] = { name: `line ${n}`, order: 1 };
      yield { ...step, body: { formatVersion: 1, lines: [...lines] }, shows: sorted([...lines]) };
      lines[n] = { name: `line ${n}`, order: 2 };
      yield { ...step, body: { formatVersion: 1, lines: [...lines] }, shows: sorted([...lines]) };
    }
  }
  const read = async () => {
    const { lines } = await client.do("GET", `/v1/plant?companyId=${companyId}&kinds=lines`);
    return sorted(lines.filter(({ name }: { name: string }) => name.startsWith("line ")));
  };
  return { shows: [], read, steps };
}

/** Files of set-up, each with a defect reason of its own, which is undone and imported again. */
function setUpImports(client: Client, companyId: number): Work {
  async function* steps(): Steps {
    const path = `/v1/setup/imports?companyId=${companyId}&kind=defect-reasons`;
    const headers = { "content-type": "text/csv" };
    const file = { operation: "createSetUpImport", method: "POST", path, headers, isKeyed: true } as const;
    let kept: string[] = [];
    for (let n = 0; ; n++) {
      const shows = sorted([...kept, `imported ${n}`]);
      const { id } = yield { ...file, body: `name\nimported ${n}\n`, shows };
      const undo = { operation: "undoSetUpImport", method: "POST", path: `/v1/setup/imports/${id}/undo`, isKeyed: true } as const;
      yield { ...undo, shows: kept };
      yield { ...file, body: `name\nimported ${n}\n`, shows };
      kept = shows;
    }
  }
  const read = async () => {
    const reasons = await client.list(`/v1/defect-reasons?companyId=${companyId}`);
    return sorted(reasons.map(({ name }) => name).filter((name: string) => name.startsWith("imported ")));
  };
  return { shows: [], read, steps };
}

/** Channels, each ignored in turn, and the one before it taken back. */
function ignoredSignals(client: Client, companyId: number): Work {
  const path = `/v1/signals/ignored?companyId=${companyId}`;
  const step = { operation: "ignoreSignal", method: "PUT", path, isKeyed: true } as const;
  async function* steps(): Steps {
    for (let channel = 1; ; channel++) {
      const shows = channel === 1 ? [channel] : [channel, channel - 1];
      yield { ...step, body: { nodeId: 999, channel, isIgnored: true }, shows };
      if (channel > 1) yield { ...step, body: { nodeId: 999, channel: channel - 1, isIgnored: false }, shows: [channel] };
    }
  }
  const read = async () => {
    const { signals } = await client.do("GET", `/v1/signals?companyId=${companyId}&ignored=true`);
    return signals.filter(({ nodeId }: { nodeId: number }) => nodeId === 999).map(({ channel }: { channel: number }) => channel);
  };
  return { shows: [], read, steps };
}

function personas(client: Client, companyId: number, hasBoth: boolean): Work {
  const listed = () => client.list(`/v1/personas?companyId=${companyId}`);
  async function* steps(): Steps {
    const path = "/v2/alert-settings/superuser/persona/new";
    for (let n = 1; ; n++) {
      const name = `Lead ${n}`;
      // Both operations do the same, if there are both.
      if (n % 2 === 0 || !hasBoth)
        yield { operation: "createPersona", method: "PUT", path, body: { companyId, name }, isKeyed: true, shows: [1, 0] };
      else
        yield {
          operation: "addPersona",
          method: "POST",
          path: "/v1/personas",
          body: { companyId, name },
          isKeyed: true,
          shows: [1, 0],
        };
      const { id } = (await listed()).find((persona) => persona.name === name);
      const body = { language: "english", sms: { value: "+34600111222", isActive: true } };
      const one = `/v1/personas/${id}`;
      yield { operation: "changePersona", method: "PATCH", path: one, body, isKeyed: true, shows: [1, 1] };
      yield { operation: "testPersona", method: "POST", path: `${one}/test`, body: { channel: "sms" }, shows: [1, 1] };
      yield { operation: "deletePersona", method: "DELETE", path: one, isKeyed: true, shows: [0, 0] };
    }
  }
  const read = async () => {
    const all = await listed();
    return [all.length, all.filter(({ language, sms }) => language === "english" && sms.isActive).length];
  };
  return { shows: [0, 0], read, steps };
}

/** Browsers in which the client's user is notified: each is added, and the previous one removed. */
function devices(client: Client): Work {
  const endpointOf = (n: number) => `https://push.example.com/${n}`;
  async function* steps(): Steps {
    const step = { operation: "putPushDevice", method: "PUT", path: "/v1/push-devices" } as const;
    for (let n = 1; ; n++) {
      const keys = { p256dh: "B".padEnd(87, "A"), auth: "A".repeat(22) };
      const bodyOf = (one: number, isOn: boolean) => ({
        subscription: JSON.stringify({ endpoint: endpointOf(one), keys }),
        isOn,
      });
      yield { ...step, body: bodyOf(n, true), shows: n === 1 ? [endpointOf(1)] : [endpointOf(n - 1), endpointOf(n)] };
      if (n > 1) yield { ...step, body: bodyOf(n - 1, false), shows: [endpointOf(n)] };
    }
  }
  return { shows: [], read: async () => (await client.do("GET", "/v1/push-key")).endpoints, steps };
}

/** A grant of the migration alternates: a readonly user may delete their own config, or change targets. */
function grants(client: Client): Work {
  const id = "00000000-0000-4000-8000-000000000015";
  async function* steps(): Steps {
    while (true) {
      for (const permissionId of ["targets:write", "configs:write"]) {
        const body = { roleId: "readonly", permissionId };
        yield { operation: "updateRolePermission", method: "PUT", path: `/role-permissions/${id}`, body, shows: [permissionId] };
      }
    }
  }
  const read = async () => {
    const { data } = await client.do("GET", "/v1/role-permissions");
    return data.filter((grant: { id: string }) => grant.id === id).map((grant: { permissionId: string }) => grant.permissionId);
  };
  return { shows: ["configs:write"], read, steps };
}

/** Readonly users may sign operators in, and may not any more. */
function moreGrants(client: Client): Work {
  const grant = { roleId: "readonly", permissionId: "operators:sign-in" };
  const path = "/v1/role-permissions";
  async function* steps(): Steps {
    while (true) {
      const made = yield { operation: "createRolePermission", method: "POST", path, body: grant, isKeyed: true, shows: 1 };
      const one = `${path}/${made.id}`;
      yield { operation: "deleteRolePermission", method: "DELETE", path: one, doneBefore: [404], shows: 0 };
    }
  }
  const read = async () => {
    const { data } = await client.do("GET", `${path}?limit=500`);
    const isIt = (one: typeof grant) => one.roleId === grant.roleId && one.permissionId === grant.permissionId;
    return data.filter(isIt).length;
  };
  return { shows: 0, read, steps };
}

/** Actions about what the client's own company loses: each is created and then done. */
function actions(client: Client, { userId, companyId: own }: Self): Work {
  async function* steps(): Steps {
    for (let n = 1; ; n++) {
      const time = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
      const body = { loss: "speed", ...time, measure: `Measure ${n}`, ownerId: userId, dueOn: "2041-01-01" };
      const create = { operation: "createAction", method: "POST", path: "/v1/actions", isKeyed: true } as const;
      const { id } = yield { ...create, body, shows: [n, n - 1] };
      const change = { operation: "changeAction", method: "PATCH", path: `/v1/actions/${id}`, isKeyed: true } as const;
      yield { ...change, body: { state: "done" }, shows: [n, n] };
    }
  }
  const read = async () => {
    const all = await client.list(`/v1/actions?companyId=${own}`);
    return [all.length, all.filter(({ state }) => state === "done").length];
  };
  return { shows: [0, 0], read, steps };
}

/** The limit of a company's widgets is another one each time, and now and then the usual one. */
function limits(client: Client, companyId: number): Work {
  const usual = 10_000;
  async function* steps(): Steps {
    for (let n = 1; ; n++) {
      const most = n % 3 === 0 ? null : usual + n;
      const body = { companyId, limits: { widgets: most } };
      yield { operation: "setUsageLimits", method: "PATCH", path: "/v1/usage/limits", body, isKeyed: true, shows: most ?? usual };
    }
  }
  const read = async () => {
    const { quotas } = await client.do("GET", `/v1/usage?companyId=${companyId}`);
    return quotas.find(({ quota }: { quota: string }) => quota === "widgets").limit;
  };
  return { shows: usual, read, steps };
}

/** A company's secret is created with the first request, and never changes. */
function secrets(client: Client, newcomers: readonly Newcomer[]): Work {
  const path = "/webhook-subscriptions/secret";
  const known: { token: string; secret: string }[] = [];
  async function* steps(): Steps {
    for (let n = 0; ; n++) {
      const newcomer = newcomers[n];
      if (!newcomer) throw new Error("there are too few newcomers: a second time nothing is made");
      const { data } = await client.do("POST", "/identity/login", newcomer);
      const { token } = data.jwt;
      const secret = yield { operation: "getWebhookSecret", method: "GET", path, token, shows: "the same" };
      known.push({ token, secret });
    }
  }
  const read = async () => {
    const last = known.slice(-3);
    const now = last.map(({ token }) => client.do("GET", path, undefined, token));
    expect(await Promise.all(now)).toEqual(last.map(({ secret }) => secret));
    return "the same";
  };
  return { shows: "the same", read, steps };
}

/** Secrets of webhooks are replaced, and events are replayed: the audit shows how often. */
function webhooks(client: Client, companyId: number): Work {
  const path = "/v1/webhook-subscriptions";
  const actions = ["webhook-secret.rotate", "webhook-subscription.rotate-secret", "webhook-subscription.replay"];
  async function* steps(): Steps {
    const about = { companyId, url: "https://erp.example.com/", events: ["alert.resolved"] };
    const { id } = await client.do("POST", path, about);
    const write = { method: "POST", isKeyed: true } as const;
    for (let n = 1; ; n++) {
      const own = `${path}/${id}`;
      yield { ...write, operation: "rotateWebhookSecret", path: "/v1/webhook-secret/rotate", shows: [n, n - 1, n - 1] };
      yield { ...write, operation: "rotateSubscriptionSecret", path: `${own}/rotate-secret`, shows: [n, n, n - 1] };
      const body = { since: new Date().toISOString() };
      yield { ...write, operation: "replayEvents", path: `${own}/replay`, body, shows: [n, n, n] };
    }
  }
  const read = async () => {
    const entries = actions.map((action) => client.list(`/v1/audit?companyId=${companyId}&action=${action}`));
    return (await Promise.all(entries)).map(({ length }) => length);
  };
  return { shows: [0, 0, 0], read, steps };
}
