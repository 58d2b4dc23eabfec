import type { emptyPlant as English } from "../en/empty-plant.ts";

export const emptyPlant: typeof English = {
  title: "Todavía no hay máquinas.",
  start: "Un administrador configura aquí la primera",
  hint: "O por la API, con el token de un administrador en TOKEN:",
};
