import "./kinds.css";
import "./progress-bar.css";

/** How much of something is done, 0 to 100 percent. The number stands beside it. */
export function ProgressBar({ percent, colour = "k-made" }: { percent: number; colour?: string }) {
  return (
    <svg class="progress" aria-hidden="true">
      <rect class="k-off" width="100%" y="30%" height="40%" rx="3" />
      <rect class={colour} width={`${percent}%`} y="30%" height="40%" rx="3" />
    </svg>
  );
}
