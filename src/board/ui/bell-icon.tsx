/** The shape of an alert, in the colour of the text around it. The words beside it or its button's label give its meaning. */
export function BellIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M5 17h14l-2-3v-4a5 5 0 0 0-10 0v4zM10 20.5h4"
        fill="none"
        stroke="currentColor"
        stroke-width="2.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
