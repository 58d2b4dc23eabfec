import { locale } from "../app/language.ts";
import { formats } from "../data/plant.ts";
import { MINUTE_MS } from "../domain/time.ts";

/** Minutes of a duration in ms, with one decimal. */
export function minutesText(ms: number): string {
  return formats().number(ms / MINUTE_MS, 1);
}

const currencies = new Map<string, Intl.NumberFormat>();

/** An amount of money, with the decimals of its currency: all amounts of a page in the same format. */
export function moneyText(amount: number, currency: string): string {
  const format = currencies.get(currency) ?? new Intl.NumberFormat(locale, { style: "currency", currency });
  currencies.set(currency, format);
  return format.format(amount);
}

/** Units, without decimals if they are whole. */
export function unitsText(units: number): string {
  return formats().number(units, Number.isInteger(Math.round(units * 100) / 100) ? 0 : 1);
}
