import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { analyse } from "scslre";
import { API } from "typescript/unstable/sync";

// Checks that no regular expression in the code can take more than linear time: each literal is analysed, and patterns that are built
// at run time are refused, since they cannot be analysed. Also refuses
// - lists that are spread into the arguments of a call, except for literals and rest parameters, whose length the code determines;
// - alarms of objects that are set without being tried again when they fail;
// - stubs of objects that are made without a jurisdiction;
// - texts in the API that are neither one of the kinds of inputs.ts nor expressly part of an answer;
// - decisions by a user's role in the board: the API decides by grants, and may() knows them.
// `node scripts/checks/check-patterns.ts [tsconfig.json ...]`: by default the projects in src/.

const root = resolve(import.meta.dirname, "../..");
const projects = process.argv.slice(2).map((path) => resolve(path));
if (projects.length === 0) projects.push(...projectsIn(join(root, "src")));

interface Node {
  kind: number;
  text?: string;
  expression?: Node;
  arguments?: readonly Node[];
  name?: Node;
  propertyName?: Node;
  dotDotDotToken?: Node;
  forEachChild(visit: (child: Node) => void): void;
}

const retriedAlarm = "src/core/retried-alarm.ts";
const names = "src/objects/names.ts";
/** The files of the board that have to do with roles: the session, what stores it, and may(). */
const ofRoles = [
  ...["src/board/app/session.ts", "src/board/data/sign-in.ts", "src/board/data/may.ts"],
  // They show and give the roles of others.
  ...["src/board/views/desk/set-up/access/users.tsx", "src/board/views/desk/set-up/access/tokens.tsx"],
];
/** The bindings of the objects of companies. */
const ofCompanies = ["MACHINES", "HUBS"];

const { SyntaxKind } = await import("typescript/unstable/ast");
const api = new API({ cwd: root });
const faults = new Set<string>();
let patterns = 0;
/** The names of rest parameters and the like in the file. */
let rests = new Set<string>();
for (const project of projects) {
  const folder = dirname(project);
  for (const opened of api.updateSnapshot({ openProject: project }).getProjects()) {
    for (const path of opened.program.getSourceFileNames().filter((name) => name.startsWith(`${folder}/`))) {
      const file = opened.program.getSourceFile(path);
      if (!file) continue;
      rests = restsIn(file as unknown as Node);
      file.forEachChild((node) => check(node as unknown as Node, relative(root, path)));
    }
  }
}
api.close();

for (const fault of faults) console.error(fault);
if (patterns === 0) console.error("No pattern was found: the check itself is broken.");
process.exit(faults.size > 0 || patterns === 0 ? 1 : 0);

function check(node: Node, path: string): void {
  const refuse = (what: string) => void faults.add(`${path}: ${what}`);
  checkCall(node, refuse);
  checkPattern(node, refuse);
  if (path.includes("api/") && isBareText(node)) {
    refuse("z.string() takes what a store would change: use a text of src/core/inputs.ts, or answerText in an answer");
  }
  // A pattern says which characters a text has.
  const isPatterned = node.kind === SyntaxKind.PropertyAccessExpression && node.name?.text === "regex";
  if (isPatterned && node.expression && isBareText(node.expression)) return;
  if (node.kind === SyntaxKind.PropertyAccessExpression && node.name?.text === "setAlarm" && path !== retriedAlarm) {
    refuse(`setAlarm: the platform gives up an alarm that throws. Set it through RetriedAlarm (${retriedAlarm})`);
  }
  if (node.kind === SyntaxKind.Identifier && ofCompanies.includes(node.text ?? "") && path !== names) {
    refuse(`${node.text}: an object is named by its company's jurisdiction, too. ${names} alone makes stubs`);
  }
  if (path.includes("/board/") && readsRole(node) && !ofRoles.includes(path)) {
    refuse("a role is read: what the user may do is told by may(permission) of src/board/data/may.ts");
  }
  node.forEachChild((child) => check(child, path));
}

/** Whether a node is `.role`, or takes `role` out of an object. */
function readsRole({ kind, name, propertyName }: Node): boolean {
  const isRead = kind === SyntaxKind.PropertyAccessExpression || kind === SyntaxKind.BindingElement;
  return isRead && (propertyName ?? name)?.text === "role";
}

function checkCall(node: Node, refuse: (what: string) => void): void {
  const isMade = node.kind === SyntaxKind.NewExpression || node.kind === SyntaxKind.CallExpression;
  if (isMade && node.expression?.kind === SyntaxKind.Identifier && node.expression.text === "RegExp") {
    refuse("RegExp(...) makes a pattern while the service runs: write a literal, or compare text");
  }
  for (const argument of isMade ? (node.arguments ?? []) : []) {
    const spread = argument.kind === SyntaxKind.SpreadElement ? argument.expression : undefined;
    if (!spread || spread.kind === SyntaxKind.ArrayLiteralExpression || (spread.text && rests.has(spread.text))) continue;
    refuse("a list is spread into arguments, which overflows the stack when it is long: use minOf, maxOf or append");
  }
}

/** Whether a node is the call `z.string()`. */
function isBareText({ kind, expression }: Node): boolean {
  const isMember = kind === SyntaxKind.CallExpression && expression?.kind === SyntaxKind.PropertyAccessExpression;
  return isMember && expression.name?.text === "string" && expression.expression?.text === "z";
}

function checkPattern(node: Node, refuse: (what: string) => void): void {
  if (node.kind !== SyntaxKind.RegularExpressionLiteral) return;
  patterns += 1;
  const text = node.text ?? "";
  const end = text.lastIndexOf("/");
  const { reports } = analyse({ source: text.slice(1, end), flags: text.slice(end + 1) });
  const isExponential = reports.some(({ exponential }) => exponential);
  if (reports.length > 0) refuse(`${text} takes ${isExponential ? "exponential" : "polynomial"} time for some texts`);
}

function restsIn(node: Node, names = new Set<string>()): Set<string> {
  if (node.dotDotDotToken && node.name?.text) names.add(node.name.text);
  node.forEachChild((child) => void restsIn(child, names));
  return names;
}

/** The tsconfig.json files below a folder. */
function projectsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("tsconfig.json"))
    .map((path) => join(folder, path));
}
