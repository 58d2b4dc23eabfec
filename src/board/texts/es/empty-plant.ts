import type { emptyPlant as English } from "../en/empty-plant.ts";

export const emptyPlant: typeof English = {
  title: "Todavía no hay máquinas.",
  hint: "Un administrador crea una y envía su primer conteo. Con el token de un administrador en TOKEN:",
};
