/** A difference below this is the way of the answer, and no clock that is off. */
const STEADY_MS = 500;

/** How far Andon's clock is ahead of the bridge's. */
export interface Offset {
  /** Null: it was not measured yet. */
  current(): number | null;
  /** Measures it by an answer: what Andon's clock said, and when the request was sent and answered by the bridge's. */
  measure(service: number, sentAt: number, answeredAt: number): void;
}

export function createOffset(): Offset {
  let current: number | null = null;
  return {
    current: () => current,
    measure: (service, sentAt, answeredAt) => {
      const measured = Math.round(service - (sentAt + answeredAt) / 2);
      // An answer that took long says less: its half may be all of one way.
      const margin = STEADY_MS + (answeredAt - sentAt) / 2;
      if (current === null || Math.abs(measured - current) > margin) current = measured;
    },
  };
}
