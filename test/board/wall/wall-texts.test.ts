import { describe, expect, it } from "vitest";
import { emsOf, nameParts } from "../../../src/board/domain/wall-texts.ts";

describe("a machine's name", () => {
  it.each([
    ["Spritzgießmaschine Engel e-motion 740/220", "Spritzgießmaschine Engel e-motion", " 740/220"],
    ["Press 4", "Press", " 4"],
    ["Press", "Press", ""],
    ["", "", ""],
    ["Kunststoffverpackungsmaschine", "Kunststoffverpackungsma", "schine"],
    ["Linie Donaueschingen-Hauptwerk", "Linie Donaueschingen-Hau", "ptwerk"],
    [" Extruder ", "Extr", "uder"],
  ])("%s is cut before its end", (name = "", head = "", tail = "") => {
    expect(nameParts(name)).toEqual([head, tail]);
  });
});

describe("the width of a text", () => {
  // Measured in Chromium with Roboto Condensed 600, in font sizes.
  it.each([
    ["0123456789", 5],
    ["abcdefghijklmnopqrstuvwxyz", 11.6],
    ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", 14.5],
    ["Changeover", 4.72],
    ["Spritzgießmaschine", 7.94],
  ])("%s is estimated within a tenth", (text, ems) => {
    expect(Math.abs(emsOf(text) / ems - 1)).toBeLessThan(0.1);
  });
});
