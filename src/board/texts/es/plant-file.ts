import type { plantFile as English } from "../en/plant-file.ts";

export const plantFile: typeof English = {
  title: "La planta como fichero",
  hint: "Líneas, máquinas, turnos, calendario, artículos y causas, por sus nombres. Sin personas, tokens ni secretos",
  save: { yaml: "Guardar como YAML", json: "Guardar como JSON" },
  put: "Hacer que la planta sea como dice un fichero",
  putHint: "Todo o nada. Lo que el fichero no nombra queda como está. El mismo fichero otra vez no cambia nada.",
  file: "Elija un fichero, YAML o JSON",
  text: "O péguelo",
  prune: "Eliminar lo que no está en el fichero (se puede restaurar)",
  apply: "Hacer estos cambios",
  putting: "Cambiando",
  done: "La planta es como dice el fichero.",
  tooLarge: "El fichero tiene más de 1 MiB: divídalo por tipos.",
  wouldChange: "Qué cambiaría",
  kind: "Tipo",
  key: "Cuál",
  does: "Qué pasa",
  members: "Miembros distintos",
  created: "se crea",
  changed: "se cambia",
  deleted: "se elimina",
  sum: (created, changed, deleted, unchanged) =>
    created + changed + deleted === 0
      ? `Nada cambia: ${unchanged} entradas están como en el fichero.`
      : `Creadas: ${created}; cambiadas: ${changed}; eliminadas: ${deleted}; como están: ${unchanged}.`,
  more: (count) => `y ${count} más`,
  kinds: {
    company: "Planta",
    lines: "Línea",
    machines: "Máquina",
    shifts: "Turno",
    calendarDays: "Día del calendario",
    skus: "Artículo (SKU)",
    stopCauses: "Causa de parada",
    defectReasons: "Motivo de defecto",
  },
};
