import { locale } from "../../language.ts";
import { formats } from "../../plant.ts";

const MINUTE_MS = 60_000;

/** Minutes of a duration in ms, with one decimal. */
export function minutesText(ms: number): string {
  return formats().number(ms / MINUTE_MS, 1);
}

const currencies = new Map<string, Intl.NumberFormat>();

/** An amount of money, without cents from 100 on. */
export function moneyText(amount: number, currency: string): string {
  const digits = Math.abs(amount) >= 100 ? 0 : 2;
  const key = `${currency} ${digits}`;
  const format =
    currencies.get(key) ??
    new Intl.NumberFormat(locale, { style: "currency", currency, minimumFractionDigits: digits, maximumFractionDigits: digits });
  currencies.set(key, format);
  return format.format(amount);
}

/** Units, without decimals if they are whole. */
export function unitsText(units: number): string {
  return formats().number(units, Number.isInteger(Math.round(units * 100) / 100) ? 0 : 1);
}
