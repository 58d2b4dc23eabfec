import type { dashboards as English } from "../en/dashboards.ts";

export const dashboards: typeof English = {
  title: "Cuadros de mando",
  hint: "Páginas de widgets: los de la planta, y los que tienen todas las plantas",
  none: "Todavía no hay ningún cuadro de mando.",
  noneHint: "Los crea la API: POST /v1/dashboards.",
  back: "Todos los cuadros de mando",
  noWidgets: "Todavía no tiene ningún widget.",
  unknown: "No existe ese cuadro de mando.",
  favorite: "favorito",
  system: "de todas las plantas",
  archived: "archivado",
  other: "Lo dibuja otro cliente.",
  noData: "No hay datos de este tiempo.",
  untitled: "Sin título",
  days: (days) => (days === 1 ? "hoy" : `los últimos ${days} días`),
  metrics: {
    oee: "OEE",
    availability: "Disponibilidad",
    effectiveness: "Rendimiento",
    quality: "Calidad",
    correct: "Unidades buenas",
    defects: "Defectos",
    downtime: "Tiempo parado, min",
  },
  columns: { machine: "Máquina", day: "Día", value: "Valor" },
};
