// The codes of faults in problems. The list is closed: a code must be added here before it can be sent.

/** Why an event is refused. */
export const eventCodes = {
  invalid_event: "The event is not well-formed.",
  in_future: "It is more than 5 minutes ahead of the service's clock.",
  too_late: "The machine's events of that time are not kept, or cannot be read.",
  before_commissioning: "The machine was not commissioned yet.",
  after_decommissioning: "The machine was decommissioned.",
  unknown_node: "No machine is on the node.",
  unknown_channel: "The channel feeds no machine, or the machine has no such channel or sensor, at that time.",
  ambiguous_channel: "The machine has several such channels or sensors at that time.",
  unknown_machine: "There is no such machine.",
  unknown_operator: "There is no such operator.",
  unknown_sku: "There is no such SKU.",
  unknown_work_order: "The machine has no such work order.",
  not_in_work_order: "The work order has no target of the SKU.",
  not_by_states: "The machine reports counts, so it accepts no states.",
  other_machine: "It belongs to another machine.",
  conflict: "Another event has its id.",
  too_many_held: "The machine holds too many events already.",
  closed_books: "The books of that time are closed.",
} as const;

/**
 * Whether an event that is refused with a code may be accepted later just as it is: once its time has come, somebody has decided on what is held, or
 * the set-up has what it names. A gateway keeps it and sends it again; order does not matter. All others would be refused again, unless somebody
 * changes what the set-up says of that time: a gateway that waited for it might wait forever.
 */
export const isTransient: Readonly<Record<keyof typeof eventCodes, boolean>> = {
  invalid_event: false,
  in_future: true,
  too_late: false,
  before_commissioning: false,
  after_decommissioning: false,
  unknown_node: true,
  unknown_channel: true,
  ambiguous_channel: false,
  unknown_machine: true,
  unknown_operator: true,
  unknown_sku: true,
  unknown_work_order: true,
  not_in_work_order: true,
  not_by_states: false,
  other_machine: true,
  conflict: false,
  too_many_held: true,
  closed_books: false,
};

/** What can be wrong with a member of a request. */
export const faultCodes = {
  // of the request's shape
  required: "It is missing, and required.",
  unknown_member: "The operation has no such member.",
  invalid_type: "It has the wrong type, such as text instead of a number.",
  invalid_format: "The text has the wrong format.",
  invalid_value: "It is not one of the allowed values.",
  invalid_union: "It matches none of the allowed forms.",
  invalid_key: "A key of a map is not allowed.",
  invalid_element: "An element is not allowed.",
  not_multiple_of: "It is not a multiple of the number in the message.",
  too_small: "The number, length or count is below the minimum.",
  too_big: "The number, length or count is above the maximum.",
  custom: "It breaks the rule in the message.",
  malformed_json: "The body is not JSON.",
  malformed_yaml: "The body is not YAML 1.2.",
  malformed_form: "The body is not a form.",
  malformed_utf8: "The body is not UTF-8.",
  malformed_gzip: "The body is not gzip, although its content-encoding says so.",
  incomplete: "The body ended too early.",
  not_supported: "It is not supported here, or not in this combination.",
  // of what it says
  not_found: "What it names does not exist, or belongs to another company.",
  repeated: "Another entry of the list already has it.",
  taken: "Another object has it already.",
  in_use: "Others depend on it.",
  fixed: "It cannot be changed.",
  not_allowed: "It is not allowed for this kind of object.",
  not_in_order: "The end is not after the start.",
  not_after_now: "It must be in the future.",
  out_of_range: "It lies outside the object that it belongs to.",
  outside_shift: "It lies outside its shift.",
  overlap: "It overlaps with another.",
  no_shift: "The machine has no shift at that time.",
  not_made: "The machine did not make it in that shift.",
  no_match: "It matches nothing.",
  below_zero: "A sum would fall below 0.",
  never_holds: "With it, the rule could never hold.",
  settled: "That time is closed: it can no longer be changed.",
  cycle: "It would be its own parent.",
  made: "Units of it were already made or reported.",
  past: "It is in the past.",
  too_many_withdrawals: "The machine has the most withdrawals of events that it may have.",
  too_many_open: "Too many of its kind are under way.",
  other_parent: "It belongs to another parent.",
  overlapping_types: "These channel types would count the same units twice.",
  not_configured: "The machine has no count sensors.",
  already_configured: "The machine has count sensors already.",
  channel_taken: "The channel feeds another machine.",
  invalid_head: "The header of the file has the wrong columns.",
  invalid_line: "A line of the file has the wrong number of cells.",
  ambiguous: "Several objects have this name: rename one.",
  unsupported_format: "Files of this kind are not accepted.",
  unreadable: "The file cannot be read.",
  common: "It is one of the most common passwords.",
  guessable: "The password is easy to guess.",
  wrong: "The password, PIN or code is wrong.",
  not_public: "The URL is not one that the service may call: https, and a host with a public name.",
  // of the books
  unclassified_stops: "Stops of that time have no cause.",
  silent_machines: "Machines send nothing: what they hold back may be of that time.",
  held_events: "Events of that time are held.",
  recalculating: "Numbers of that time are being recalculated, or an import is being taken back.",
  // of the database
  database_filling: "The database is nearly full, so there are no new companies.",
  database_full: "The database is full, so nothing can be changed.",
  ids_used_up: "The database has no id left for a new object of this kind.",
  // of the archive
  archived: "It is not in the database any more, and may be in the archive.",
  archive_damaged: "A day of the archive is missing or damaged.",
  // of plant files
  too_many_of_kind: "There is more of this kind of set-up than a plant file has.",
  too_many_changes: "The file would change more than one request can.",
  // of imports of set-up
  changed_since: "It was changed after the import.",
  // of reports
  invalid_range: "The range ends before it starts.",
  too_many: "Too many rows match to be sorted this way: narrow the time range or add filters.",
  range_too_long: "The time range is too long: narrow it.",
  too_many_points: "The answer would have too many points: narrow the time range, or use longer intervals.",
  too_many_groups: "The answer would have too many groups: narrow the time range or the filters.",
  // of events, which are also made from requests
  ...eventCodes,
} as const;

/** The codes of a list, for an enum. */
export function codesOf<C extends string>(list: Readonly<Record<C, string>>): C[] {
  return Object.keys(list) as C[];
}

/** The codes of events that may be accepted later. */
export const transientCodes = codesOf(eventCodes).filter((code) => isTransient[code]);

/** A code of `errors` in a problem. */
export type FaultCode = keyof typeof faultCodes;
/** A code of a refused event. */
export type EventCode = keyof typeof eventCodes;
