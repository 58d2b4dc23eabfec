import type { home as en } from "../en/home.ts";

export const home: typeof en = {
  hello: (email) => `Sesión iniciada como ${email}`,
  company: "Empresa",
  wall: "Panel",
  wallHint: "Todas las máquinas en una pantalla grande, legible de lejos",
  floor: "Puesto",
  floorHint: "Una máquina en su terminal: causas de parada, rechazos, órdenes, ayuda",
  desk: "Oficina",
  deskHint: "Días, turnos, pérdidas, tendencias y órdenes",
  pair: "Vincular un panel",
  pairHint: "Confirme el código que muestra un televisor",
  docs: "API",
  docsHint: "Todas las operaciones, para leer y probar",
  signOut: "Cerrar sesión",
  signOutEverywhere: "Cerrar sesión en todos los dispositivos",
  version: (version) => `Andon, versión ${version}`,
};
