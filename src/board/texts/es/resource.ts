import type { resource as English } from "../en/resource.ts";

export const resource: typeof English = {
  actions: "",
  add: "Añadir",
  newOne: "Uno nuevo",
  change: "Cambiar",
  save: "Guardar",
  saving: "Guardando",
  remove: "Eliminar",
  cancel: "Cancelar",
  close: "Cerrar",
  added: "Añadido.",
  changed: "Cambiado.",
  same: "Nada es distinto de ahora: cambie antes un campo.",
  of: (what, name) => `${what}: ${name}`,
  lines: {
    title: "Líneas",
    hint: "Grupos de máquinas. Una máquina está en una línea o en ninguna",
    none: "Todavía no hay líneas.",
    name: "Nombre",
    order: "Lugar en las listas (primero el menor)",
    orderShort: "Lugar",
    machines: "Máquinas",
    sure: (name) => `¿Eliminar la línea ${name}? Sus máquinas se quedan, sin línea.`,
  },
};
