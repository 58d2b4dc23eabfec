import { language } from "../../app/language.ts";
import { send } from "../../data/api.ts";
import { MINUTE_MS } from "../../domain/time.ts";

/** The address of the API's CSV of a list or report. */
export interface CsvSource {
  path: string;
  query: Record<string, unknown>;
  /** The file name without its extension. */
  name: string;
}

/** Fetches a CSV with the user's token and makes the browser save it: times of the plant's clock, decimals as in the page's language. */
export async function saveCsv({ path, query, name }: CsvSource): Promise<void> {
  const decimal = language === "es" ? "comma" : "point";
  const file = await send<Blob>("get", path, {
    query: { ...query, format: "csv", tz: "local", decimal },
    headers: { accept: "text/csv" },
    as: "blob",
  });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), MINUTE_MS);
}
