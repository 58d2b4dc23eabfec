// The codes that refusals give to programs. The list is closed: a code is added here before it is sent.

/** Why an event is refused. */
export const eventCodes = {
  invalid_event: "The event is not well-formed.",
  in_future: "It is more than 5 minutes ahead of the service's clock.",
  too_late: "It is more than 48 h behind the machine's newest event.",
  before_commissioning: "The machine was not commissioned yet.",
  after_decommissioning: "The machine was decommissioned.",
  unknown_node: "No machine is on the node.",
  unknown_channel: "The channel feeds no machine at that time.",
  unknown_machine: "There is no such machine.",
  unknown_operator: "There is no such operator.",
  unknown_sku: "There is no such SKU.",
  unknown_work_order: "The machine has no such work order.",
  not_in_work_order: "The work order has no target of the SKU.",
  not_by_states: "The machine is known by its counts and takes no states.",
  other_machine: "It belongs to another machine.",
} as const;

/** What can be wrong with a member of a request. */
export const faultCodes = {
  // of the request's shape
  required: "It is missing.",
  unknown_member: "The operation has no such member.",
  invalid_type: "It is of another type, such as text instead of a number.",
  invalid_format: "The text is not of the form that is asked for.",
  invalid_value: "It is none of the values that are listed.",
  invalid_union: "It fits none of the forms that it can have.",
  invalid_key: "The name of a member of a map is not allowed.",
  invalid_element: "An element is not allowed.",
  not_multiple_of: "It is no multiple of the number that is named.",
  too_small: "It is below the least number, length or count.",
  too_big: "It is above the greatest number, length or count.",
  custom: "It breaks the rule that the message states.",
  malformed_json: "The body is not JSON.",
  malformed_form: "The body is not a form.",
  incomplete: "The body broke off before its end.",
  not_supported: "It cannot be used here, or not together with the rest.",
  // of what it says
  not_found: "It names nothing that is there, or another company's.",
  not_unique: "It is in the list already.",
  repeated: "Another entry says it already.",
  taken: "Another object has it already.",
  in_use: "Others depend on it.",
  fixed: "It cannot be changed.",
  not_allowed: "It is not for this kind of object.",
  not_in_order: "An end is not after its start.",
  not_after_now: "It must be in the future.",
  out_of_range: "It lies outside what it is a part of.",
  outside_shift: "It lies outside its shift.",
  overlap: "It overlaps with another.",
  settled: "The time is settled: what happened then cannot be changed any more.",
  cycle: "It would belong to itself.",
  made: "Units of it were made or reported.",
  past: "It is in the past.",
  other_parent: "It belongs to another parent.",
  overlapping_types: "These types of channels count the same units twice.",
  not_configured: "The machine has no count sensors.",
  already_configured: "The machine has count sensors already.",
  channel_taken: "The channel feeds another machine.",
  invalid_head: "The first line of the file names other columns.",
  invalid_line: "A line of the file has another number of cells.",
  ambiguous: "The name is of several: rename one.",
  unsupported_format: "The file is of a kind that is not taken.",
  unreadable: "The file cannot be read.",
  common: "It is one of the commonest passwords.",
  guessable: "It is a password that is easily guessed.",
  wrong: "It is not the password.",
  // of reports
  invalid_range: "The time ends before it begins.",
  too_many: "More rows match than can be sorted so: narrow the time, or filter by more.",
  range_too_long: "The time is too long: narrow it.",
  too_many_points: "The answer would have too many points: narrow the time, or take longer intervals.",
  too_many_groups: "The answer would have too many groups: narrow the time or the filters.",
  // of events, which are also made from requests
  ...eventCodes,
} as const;

/** The codes of a list, for an enum. */
export function codesOf<C extends string>(list: Readonly<Record<C, string>>): C[] {
  return Object.keys(list) as C[];
}

/** A code of `errors` in a problem. */
export type FaultCode = keyof typeof faultCodes;
/** A code of a refused event. */
export type EventCode = keyof typeof eventCodes;
