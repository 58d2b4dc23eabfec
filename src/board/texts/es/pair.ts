import type { pair as en } from "../en/pair.ts";

export const pair: typeof en = {
  title: "Vincular un panel",
  hint: "Introduzca el código que muestra el panel. Mostrará las máquinas de esta planta hasta que se borre su token. Introduzca solo el código de un panel que vea.",
  code: "Código del panel",
  name: "Nombre del panel",
  namePlaceholder: "Nave 1",
  lines: "Líneas",
  allLines: "Todas las líneas",
  distance: "Distancia de lectura",
  metres: (count) => `${count} m`,
  confirm: "Vincular",
  confirming: "Vinculando",
  done: (name) => `${name} está vinculado. Mostrará sus máquinas en unos segundos.`,
  another: "Vincular otro",
};
