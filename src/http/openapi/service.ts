import packageJson from "../../../package.json" with { type: "json" };

/** The name of the service, and its version: that of package.json, which the build puts into the Worker. */
export const service = { title: "Andon", version: packageJson.version } as const;
