import type { pair as en } from "../en/pair.ts";

export const pair: typeof en = {
  title: "Vincular un panel o un terminal",
  kind: "¿Qué muestra el código?",
  kinds: { wall: "Un panel", terminal: "Un terminal junto a máquinas" },
  hints: {
    wall: "Introduzca el código que muestra el panel. Mostrará las máquinas de esta planta hasta que se borre su token. Introduzca solo el código de un panel que vea.",
    terminal:
      "Introduzca el código que muestra el terminal. Las personas que lo usen actuarán sobre las máquinas elegidas, sin iniciar sesión, hasta que se borre su token. Introduzca solo el código de un terminal que vea.",
  },
  code: "Código de la pantalla",
  name: "Nombre",
  namePlaceholders: { wall: "Nave 1", terminal: "Prensa 1" },
  lines: "Líneas",
  allLines: "Todas las líneas",
  machines: "Máquinas, 20 como máximo",
  search: "Buscar máquinas",
  more: (count) => `${count} más: búsquelas por su nombre.`,
  noMachines: "Todavía no hay máquinas.",
  chooseOne: "Elija al menos una máquina.",
  distance: "Distancia de lectura",
  metres: (count) => `${count} m`,
  confirm: "Vincular",
  confirming: "Vinculando",
  done: (name) => `${name} está vinculado. Mostrará sus máquinas en unos segundos.`,
  another: "Vincular otro",
};
