export const left = {
  title: "What is left",
  hint: "A plant runs without them. They say why it stands, what it makes, and who is notified. This list stays here.",
  done: "done",
  open: "to do",
  skipped: "skipped",
  skipName: (name: string) => `Skip: ${name}`,
  skip: "Skip",
  againName: (name: string) => `Do not skip: ${name}`,
  again: "Do not skip",
  names: {
    causes: "Stop causes",
    skus: "SKUs",
    operators: "Operators",
    users: "Accounts for other people",
    alerts: "An alert",
    wall: "A wall",
    backup: "A backup",
  },
  why: {
    causes: "Operators choose one in a tap, and the largest loss gets a name.",
    skus: "What is made, and how fast it should be on each machine.",
    operators: "Who works at a machine, with a number or a badge.",
    users: "Each with a role that says what they may do.",
    alerts: "Somebody is notified when a machine stands too long.",
    wall: "A television that shows every machine. Open /wall of this service on it: it shows a code to enter here.",
    backup: "On the computer that Andon runs on, in its folder:",
  },
  check: (count: number) =>
    count === 0
      ? "The set-up lacks nothing"
      : count === 1
        ? "One thing is missing in the set-up"
        : `${count} things are missing in the set-up`,
  isMade: "Made",
  isMadeName: "The backup is made",
  command: "npm run admin -- backup backup",
};
