export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise text; null if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back.
  body: any;
}
