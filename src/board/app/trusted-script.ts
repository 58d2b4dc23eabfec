interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Converts a script's address to the trusted type that the page's policy requires. `address` must be a constant. */
export function trustedScript(address: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy("andon-worker", { createScriptURL: (url) => url }).createScriptURL(address) ?? address;
}
