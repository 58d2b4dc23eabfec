export const people = {
  title: "Where they worked",
  perPerson: "Who worked",
  hint: "Performance and quality are those of the machines' shifts, by share of the units.",
  columns: {
    operator: "Operator",
    machine: "Machine",
    up: "Up, min",
    down: "Down, min",
    availability: "Availability",
    units: "Units",
    effectiveness: "Performance",
    quality: "Quality",
    oee: "OEE",
  },
  none: "Nobody was signed in.",
  noneHint: "Operators sign in at the floor terminal, or are credited by an operator plan.",
  note: "In shifts that started in this time. Operators who are signed in together are each credited in full.",
};
