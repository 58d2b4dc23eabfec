import { language } from "../../app/language.ts";
import { session, signedInAgain } from "../../app/session.ts";
import { addressOf, fetchInTime, Refusal } from "../../data/api.ts";

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
  const address = addressOf(path, { query: { ...query, format: "csv", tz: "local", decimal } });
  let response = await ask(address);
  const token = session.peek()?.token;
  if (response.status === 401 && token !== undefined) {
    await signedInAgain(token);
    response = await ask(address);
  }
  if (!response.ok) throw new Refusal(response.status, await response.json().catch(() => ({})), null);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function ask(address: string): Promise<Response> {
  return fetchInTime(address, { headers: { accept: "text/csv", authorization: `Bearer ${session.peek()?.token ?? ""}` } });
}
