import type { people as English } from "../en/people.ts";

export const people: typeof English = {
  title: "Dónde trabajaron",
  perPerson: "Quién trabajó",
  hint: "El rendimiento y la calidad son los de los turnos de las máquinas, según la parte de las unidades.",
  columns: {
    operator: "Operario",
    machine: "Máquina",
    up: "En marcha, min",
    down: "Parada, min",
    availability: "Disponibilidad",
    units: "Unidades",
    effectiveness: "Rendimiento",
    quality: "Calidad",
    oee: "OEE",
  },
  none: "Nadie había iniciado sesión.",
  noneHint: "Los operarios inician sesión en el puesto, o se les asigna por un plan de operarios.",
  note: "En turnos que empezaron en este tiempo. A los operarios que trabajan juntos se les atribuye todo a cada uno.",
};
