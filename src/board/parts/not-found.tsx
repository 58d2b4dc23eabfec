import { common } from "../texts/common.ts";

/** A page for an address that leads nowhere, with a way back. `title` and `hint` say what is not there. */
export function NotFound({
  title = common.notFound,
  hint = common.notFoundHint(location.pathname),
  back = "/",
  backText = common.toStart,
}) {
  return (
    <main class="sheet">
      <h1>{title}</h1>
      <p>{hint}</p>
      <a class="button" href={back}>
        {backText}
      </a>
    </main>
  );
}
