// Parts of the wall that are loaded once its words are shown, or never: in one file, because each file of its own costs more than it saves.

export { Legend } from "./legend.tsx";
export { NextShift } from "./next-shift.tsx";
export { NoMachine } from "./no-machine.tsx";
export { OtherView } from "./other-view.tsx";
export { Pairing } from "./pairing.tsx";
export { PlantHours } from "./plant-hours.tsx";
export { Readers } from "./readers.tsx";
export { Settings } from "./settings.tsx";
export { Strip } from "./strip.tsx";
