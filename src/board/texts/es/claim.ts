import type { claim as English } from "../en/claim.ts";

export const claim: typeof English = {
  title: "Configure su planta",
  start: "Empezar una planta vacía",
  startIntro: "Es una planta aparte, al lado de la de demostración, que se queda como está. La cuenta es la de su administrador.",
  startHint: "la suya, al lado de esta",
  intro: "Aquí nadie tiene cuenta todavía. La primera es la suya: puede hacerlo todo, y crear cuentas para los demás.",
  code: "Código que mostró el servicio al arrancar",
  name: "Su nombre",
  email: "Correo electrónico, para iniciar sesión",
  password: "Frase de contraseña: 15 caracteres o más, por ejemplo cuatro palabras",
  company: "Nombre de la planta",
  timezone: "Zona horaria de la planta",
  now: (zone, time) => `En ${zone} son las ${time}: los turnos de la planta siguen este reloj.`,
  unknownZone: "Elija una zona horaria de la lista, como Europe/Madrid.",
  required: "Falta.",
  send: "Empezar",
  sending: "Empezando",
};
