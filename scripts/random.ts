/** A seeded generator of numbers in [0, 1): the same parts always give the same sequence (FNV-1a into mulberry32). */
export function seededRandom(...parts: (string | number)[]): () => number {
  let seed = 2166136261;
  for (const char of parts.join("|")) seed = Math.imul(seed ^ (char.codePointAt(0) ?? 0), 16777619);
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
