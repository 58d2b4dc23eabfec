// Pseudonyms for callers without `operator-names:read`. All answers, files and live messages that they get pass through `withPseudonyms`.

interface Named {
  id: number;
  name: string | null;
}

type Members = Record<string, unknown>;

/** What is shown for the name of an operator: the same everywhere, so that the shifts of one can still be followed. */
function pseudonymOf(id: unknown): string {
  return `Operator ${id}`;
}

/** What is shown for the name of whoever acted: at a paired terminal that is the operators' names, and the id is that of the user who paired it. */
function authorOf(id: unknown): string {
  return `User ${id}`;
}

/** What a value of an answer shows, with pseudonyms in place of all names and badges of operators. */
export function withPseudonyms<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withPseudonyms) as T;
  if (!isObject(value)) return value;
  return pseudonymized(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withPseudonyms(one)]))) as T;
}

/** An object, whose members' own members have been replaced already. */
function pseudonymized(object: Members): Members {
  const { id, operator, operators, calledBy, answeredBy, user, apiTokenId } = object;
  const isByProgram = typeof apiTokenId === "number";
  return {
    ...object,
    // An operator.
    ...("hasPin" in object && { name: pseudonymOf(id), code: pseudonymOf(id) }),
    // What is about operators.
    ...(isNamed(operator) && { operator: renamed(operator, pseudonymOf) }),
    ...(Array.isArray(operators) && { operators: operators.map((one) => (isNamed(one) ? renamed(one, pseudonymOf) : one)) }),
    ...("operatorName" in object && { operatorName: pseudonymOf(object.operatorId) }),
    // What operators did at a terminal. A call for help does not say whether it was there.
    ...(isNamed(calledBy) && { calledBy: renamed(calledBy, authorOf) }),
    ...(isNamed(answeredBy) && { answeredBy: renamed(answeredBy, authorOf) }),
    ...("helpCallId" in object && "userName" in object && { userName: authorOf(object.userId) }),
    ...(isByProgram && isNamed(user) && { user: renamed(user, authorOf) }),
    ...(isByProgram && "userName" in object && { userName: authorOf(object.userId) }),
    // An audit entry about an operator.
    ...(object.objectType === "operator" && {
      before: auditedAs(pseudonymOf(object.objectId), object.before),
      after: auditedAs(pseudonymOf(object.objectId), object.after),
    }),
  };
}

function renamed(one: Named, nameOf: (id: unknown) => string): Named {
  return { ...one, name: nameOf(one.id) };
}

/** The audited members of an operator, which may be those alone that were changed. */
function auditedAs(pseudonym: string, members: unknown): unknown {
  if (!isObject(members)) return members;
  return { ...members, ...("name" in members && { name: pseudonym }), ...("code" in members && { code: pseudonym }) };
}

function isNamed(value: unknown): value is Named {
  return isObject(value) && "name" in value && "id" in value;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
