/** The name of the service. */
export const service = { title: "Andon", version: "1.0.0" } as const;
