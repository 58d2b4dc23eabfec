import type { left as English } from "../en/left.ts";

export const left: typeof English = {
  title: "Lo que falta",
  hint: "Una planta funciona sin ello. Dice por qué está parada, qué produce y a quién se avisa. Esta lista se queda aquí.",
  done: "hecho",
  open: "pendiente",
  skipped: "omitido",
  skipName: (name) => `Omitir: ${name}`,
  skip: "Omitir",
  againName: (name) => `No omitir: ${name}`,
  again: "No omitir",
  names: {
    causes: "Causas de parada",
    skus: "SKU",
    operators: "Operarios",
    users: "Cuentas para otras personas",
    alerts: "Una alerta",
    wall: "Un panel",
    backup: "Una copia de seguridad",
  },
  why: {
    causes: "Los operarios eligen una con un toque, y la mayor pérdida tiene nombre.",
    skus: "Lo que se produce, y a qué ritmo en cada máquina.",
    operators: "Quién trabaja en una máquina, con un número o una tarjeta.",
    users: "Cada una con un rol que dice lo que puede hacer.",
    alerts: "Se avisa a alguien cuando una máquina está parada demasiado tiempo.",
    wall: "Un televisor que muestra todas las máquinas. Abra allí /wall de este servicio: muestra un código que se introduce aquí.",
    backup: "En el ordenador donde funciona Andon, en su carpeta:",
  },
  check: (count) =>
    count === 0
      ? "A la configuración no le falta nada"
      : count === 1
        ? "Falta una cosa en la configuración"
        : `Faltan ${count} cosas en la configuración`,
  isMade: "Hecha",
  isMadeName: "La copia de seguridad está hecha",
  command: "npm run admin -- backup backup",
};
