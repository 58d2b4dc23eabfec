import type { check as English } from "../en/check.ts";

export const check: typeof English = {
  hint: "Primero lo que impide los números, después lo que deja huecos en ellos",
  left: "Qué más falta",
  none: "A la configuración no le falta nada.",
  plant: "La planta",
  columns: { what: "Dónde", severity: "Gravedad", finding: "Qué falla" },
  severities: { error: "faltan números", warning: "los números tienen huecos" },
  open: "Abrir",
  openOf: (name) => `Abrir: ${name}`,
  more: (count) => `Al menos ${count} más no figuran o no se han comprobado.`,
  findings: {
    no_machine: "No hay ninguna máquina.",
    no_shift: "No hay ningún turno, así que los informes están vacíos.",
    no_gateway_token: "No hay ningún token, así que ninguna pasarela ni aparato puede enviar eventos.",
    machine_in_no_shift: "No está en ningún turno, así que los informes no la muestran.",
    no_count_sensor: "Ningún canal la alimenta: se rechazan sus conteos.",
    counting_disabled: "El conteo está desactivado: sus conteos no suman unidades.",
    no_standard_cycle: "No tiene ciclo estándar: su rendimiento y su OEE son 0.",
    machine_not_heard: "Todavía no se ha recibido ningún evento suyo.",
    counts_held: "Hay conteos retenidos, porque no puede haberlos hecho: acéptelos o descártelos.",
    reports_seldom:
      "Su aparato informa con menos frecuencia de la que permiten sus límites, así que el tiempo en marcha se convierte en paradas o falta de datos.",
    standard_too_slow:
      "Su rendimiento superó el 150 % en sus últimos turnos: un ciclo estándar o un factor de conteo es incorrecto.",
    channel_silent: "Uno de sus canales no contó nada en sus últimos turnos, mientras que otros sí.",
    sku_without_standard: "No tiene estándar en una máquina que tampoco lo tiene: el rendimiento es 0 mientras se produce allí.",
    webhook_secret_lost:
      "Se ha perdido la clave del secreto que firma las llamadas de webhook: fallan hasta que se sustituya el secreto.",
    chat_room_address_lost:
      "Se ha perdido la clave de la dirección de la sala: sus mensajes fallan hasta que se introduzca de nuevo la dirección.",
    chooses_no_machine: "Ninguna de las máquinas de las que trata está en servicio: no hace nada.",
    names_deleted: "Nombra algo que se ha borrado.",
    no_stop_cause: "No hay ninguna causa de parada, así que no se puede clasificar ninguna parada.",
    no_operator: "No hay ningún operario, así que no se conoce la producción de nadie.",
  },
};
