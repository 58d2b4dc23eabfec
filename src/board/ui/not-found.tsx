import { common } from "../texts/common.ts";

/** A page for an address that does not exist, with a way back. `title` and `hint` say what is missing. */
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
