import { send } from "../../data/api.ts";
import { saveFile } from "../../ui/save-file.ts";
import { decimal } from "../../ui/table-csv.ts";

/** The address of the API's CSV of a list or report. */
export interface CsvSource {
  path: string;
  query: Record<string, unknown>;
  /** The file name without its extension. */
  name: string;
}

/** Fetches a CSV with the user's token and makes the browser save it: times of the plant's clock, decimals as in the page's language. */
export async function saveCsv({ path, query, name }: CsvSource): Promise<void> {
  const file = await send<Blob>("get", path, {
    query: { ...query, format: "csv", tz: "local", decimal: decimal === "," ? "comma" : "point" },
    headers: { accept: "text/csv" },
    as: "blob",
  });
  saveFile(file, `${name}.csv`);
}
